package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The key/value settings, codes 100, 101, 102 and 219, and their file. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class KVConfigDaemonTest {
    private static final String ORDER = "ORDER_TOPIC_CONFIG";
    private static final Request LIST = Request.of(219).with("namespace", "ns");

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon();

    @ParameterizedTest
    @EnumSource
    void a_value_that_was_put_is_found_alone_and_with_its_namespace(Form form) throws Exception {
        Reply put = daemon.ask(put("ns", "k", "v\"1ü").in(form));

        Reply got = daemon.ask(get("ns", "k").in(form));
        Reply list = daemon.ask(LIST.in(form));

        assertThat(put).isEqualTo(Reply.SUCCESS);
        assertThat(got).isEqualTo(Reply.SUCCESS.with("value", "v\"1ü"));
        assertThat(list).isEqualTo(Reply.json("{\"table\":{\"k\":\"v\\\"1ü\"}}"));
    }

    @ParameterizedTest
    @EnumSource
    void a_second_put_replaces_the_value(Form form) throws Exception {
        daemon.ask(put("ns", "k", "v1").in(form));
        daemon.ask(put("ns", "k", "v2").in(form));

        assertThat(daemon.ask(get("ns", "k").in(form))).isEqualTo(Reply.SUCCESS.with("value", "v2"));
    }

    @ParameterizedTest
    @EnumSource
    void what_is_not_there_is_22_and_the_remark_names_it(Form form) throws Exception {
        Reply noNamespace = daemon.ask(get("ns", "k").in(form));
        Reply noList = daemon.ask(LIST.in(form));
        daemon.ask(put("ns", "other", "v"));

        Reply noKey = daemon.ask(get("ns", "k").in(form));

        assertThat(List.of(noNamespace, noKey)).containsOnly(Reply.error(22, "No config item, Namespace: ns Key: k"));
        assertThat(noList).isEqualTo(Reply.error(22, "No config item, Namespace: ns"));
    }

    @ParameterizedTest
    @EnumSource
    void a_put_without_namespace_key_or_value_is_refused(Form form) throws Exception {
        for (String field : List.of("namespace", "key")) {
            assertThat(daemon.ask(put("ns", "k", "v").without(field).in(form)))
                    .isEqualTo(Reply.error(1, "namespace or key is null"));
        }
        assertThat(daemon.ask(Request.of(100).in(form))).isEqualTo(Reply.error(1, "namespace or key is null"));
        assertThat(daemon.ask(put("ns", "k", "v").without("value").in(form)))
                .isEqualTo(Reply.error(1, "value is null"));
        assertThat(daemon.ask(LIST).code()).isEqualTo(22);
        assertThat(daemon.file("kvConfig.json")).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource
    void a_deleted_value_is_gone_and_its_namespace_with_its_last(Form form) throws Exception {
        daemon.ask(put("ns", "k1", "v"));
        daemon.ask(put("ns", "k2", "v"));

        Reply first = daemon.ask(delete("ns", "k1").in(form));
        Reply between = daemon.ask(LIST);
        Reply last = daemon.ask(delete("ns", "k2").in(form));

        assertThat(List.of(first, last)).containsOnly(Reply.SUCCESS);
        assertThat(between).isEqualTo(Reply.json("{\"table\":{\"k2\":\"v\"}}"));
        assertThat(daemon.ask(LIST)).isEqualTo(Reply.error(22, "No config item, Namespace: ns"));
    }

    @ParameterizedTest
    @EnumSource
    void deleting_what_is_not_there_is_a_success(Form form) throws Exception {
        assertThat(daemon.ask(delete("ns", "k").in(form))).isEqualTo(Reply.SUCCESS);
        assertThat(daemon.ask(LIST).code()).isEqualTo(22);
    }

    @Test
    void the_file_has_the_form_of_apache_before_the_answer_is_there() throws Exception {
        daemon.ask(put(ORDER, "t1", "b1:4;b2:4"));

        assertThat(daemon.file("kvConfig.json"))
                .hasContent("{\"configTable\":{\"ORDER_TOPIC_CONFIG\":{\"t1\":\"b1:4;b2:4\"}}}");
    }

    @Test
    void all_is_there_after_an_orderly_restart() throws Exception {
        daemon.ask(put("ns", "k", "v"));
        daemon.ask(put(ORDER, "t1", "b1:4"));
        daemon.ask(delete(ORDER, "t1"));

        daemon.restart();

        assertThat(daemon.ask(LIST)).isEqualTo(Reply.json("{\"table\":{\"k\":\"v\"}}"));
        assertThat(daemon.ask(LIST.with("namespace", ORDER))).isEqualTo(Reply.json("{\"table\":{}}"));
    }

    @Test
    void what_was_answered_is_there_after_a_kill() throws Exception {
        List<Request> puts = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            puts.add(put("ns", "k" + i, "v" + i));
        }
        try (Peer peer = daemon.connect()) {
            assertThat(peer.askAll(puts)).containsOnly(Reply.SUCCESS);
        }
        Reply before = daemon.ask(LIST);

        daemon.restartAsAfterKill();

        assertThat(daemon.ask(LIST)).isEqualTo(before);
    }

    @Test
    void a_file_that_was_cut_off_gives_way_to_the_one_before_it_and_is_kept_aside() throws Exception {
        daemon.ask(put("ns", "k", "v1"));
        daemon.ask(put("ns", "k", "v2"));
        Path file = daemon.file("kvConfig.json");
        Files.writeString(file, Files.readString(file).substring(0, 20));

        daemon.restart();

        assertThat(daemon.ask(get("ns", "k"))).isEqualTo(Reply.SUCCESS.with("value", "v1"));
        assertThat(file.getParent().toFile().list((dir, name) -> name.startsWith("kvConfig.json.bad-")))
                .hasSize(1);
    }

    @Test
    void a_change_that_cannot_be_written_is_code_1_and_no_change() throws Exception {
        daemon.ask(put("ns", "k", "v1"));
        Path aside = daemon.home().resolve("aside");
        Files.move(daemon.home().resolve("namesrv"), aside);
        Files.writeString(daemon.home().resolve("namesrv"), "a file where the directory was");

        Reply put = daemon.ask(put("ns", "k", "v2"));
        Reply delete = daemon.ask(delete("ns", "k"));
        Reply got = daemon.ask(get("ns", "k"));

        assertThat(List.of(put, delete))
                .containsOnly(Reply.error(1, "the key/value settings cannot be written, nothing was changed"));
        assertThat(got).isEqualTo(Reply.SUCCESS.with("value", "v1"));

        Files.delete(daemon.home().resolve("namesrv"));
        Files.move(aside, daemon.home().resolve("namesrv"));
        assertThat(daemon.ask(put("ns", "k", "v3"))).isEqualTo(Reply.SUCCESS);
        assertThat(daemon.ask(get("ns", "k"))).isEqualTo(Reply.SUCCESS.with("value", "v3"));
    }

    private static Request put(String namespace, String key, String value) {
        return Request.of(100).with("namespace", namespace).with("key", key).with("value", value);
    }

    private static Request get(String namespace, String key) {
        return Request.of(101).with("namespace", namespace).with("key", key);
    }

    private static Request delete(String namespace, String key) {
        return Request.of(102).with("namespace", namespace).with("key", key);
    }
}
