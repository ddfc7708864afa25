package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.QueueData;
import io.namesrv.server.daemon.TestBroker.Topic;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Codes 205 and 327 with permWipeSticky: a wipe that holds until it is taken back. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class StickyWipeDaemonTest {
    private static final Request WIPE = Request.of(205).with("brokerName", "b1");
    private static final Request ADD = Request.of(327).with("brokerName", "b1");
    private static final Request MARKS = Request.of(219).with("namespace", "WRITE_PERM_WIPED");
    private static final Reply NO_MARKS = Reply.error(22, "No config item, Namespace: WRITE_PERM_WIPED");
    private static final Request NOT_STICKY = Request.of(318).body("permWipeSticky=false");
    private static final String NOT_WRITTEN = "the key/value settings cannot be written, nothing was changed";

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon().with("permWipeSticky", true);

    @ParameterizedTest
    @EnumSource
    void a_wipe_withholds_the_write_bit_counts_the_topics_and_shows_who_asked_and_when(Form form) throws Exception {
        daemon.register(master(), TestBroker.numbered(2));

        Reply reply = daemon.ask(WIPE.in(form));

        assertThat(reply).isEqualTo(Reply.SUCCESS.with("wipeTopicCount", "2"));
        assertThat(perms("b1")).isEqualTo(Map.of("t1", 4, "t2", 4));
        assertThat(perms("b2")).isEqualTo(Map.of("t2a", 6, "t2b", 6));
        assertThat(daemon.ask(MARKS).body())
                .matches(
                        "\\{\"table\":\\{\"b1\":\"by=127\\.0\\.0\\.1:\\d+ at=\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\"}}");
        assertThat(Files.readString(daemon.file("kvConfig.json"))).contains("{\"WRITE_PERM_WIPED\":{\"b1\":\"by=");
    }

    @Test
    void it_outlives_changed_registrations_and_covers_topics_that_come_later() throws Exception {
        daemon.register(master());
        daemon.ask(WIPE);

        daemon.register(master().counter(2).topics(new Topic("t1"), new Topic("t3")));
        daemon.ask(Request.of(217).with("topic", "t4").body("""
                {"queueDatas":[{"brokerName":"b1","perm":6,"readQueueNums":2,"topicSysFlag":0,"writeQueueNums":2}]}"""));

        assertThat(perms("b1")).isEqualTo(Map.of("t1", 4, "t2", 4, "t3", 4, "t4", 4));
    }

    @Test
    void it_outlives_the_brokers_absence_an_orderly_restart_and_a_kill() throws Exception {
        daemon.register(master());
        daemon.ask(WIPE);
        daemon.ask(master().unregister());

        daemon.register(master());
        Map<String, Integer> afterAbsence = perms("b1");
        daemon.restart();
        daemon.register(master());
        Map<String, Integer> afterRestart = perms("b1");
        daemon.restartAsAfterKill();
        daemon.register(master().counter(7));

        assertThat(List.of(afterAbsence, afterRestart, perms("b1"))).containsOnly(Map.of("t1", 4, "t2", 4));
    }

    @ParameterizedTest
    @EnumSource
    void taken_back_it_gives_what_the_broker_declares_by_then_and_no_more(Form form) throws Exception {
        daemon.register(master().topics(new Topic("none").perm(0), new Topic("read").perm(4), new Topic("both")));
        daemon.ask(WIPE.in(form));
        daemon.register(master().counter(2).topics(new Topic("read").perm(4), new Topic("inherit").perm(7)));

        Reply reply = daemon.ask(ADD.in(form));

        assertThat(reply).isEqualTo(Reply.SUCCESS.with("addTopicCount", "4"));
        assertThat(perms("b1")).isEqualTo(Map.of("none", 0, "read", 4, "both", 6, "inherit", 7));
        assertThat(daemon.ask(MARKS)).isEqualTo(NO_MARKS);
        daemon.restart();
        daemon.register(master());
        assertThat(perms("b1")).isEqualTo(Map.of("t1", 6, "t2", 6));
    }

    @Test
    void without_a_mark_327_does_as_ever() throws Exception {
        daemon.register(master().topics(new Topic("read").perm(4), new Topic("inherit").perm(7)));

        Reply reply = daemon.ask(ADD);

        assertThat(reply).isEqualTo(Reply.SUCCESS.with("addTopicCount", "2"));
        assertThat(perms("b1")).isEqualTo(Map.of("read", 6, "inherit", 7));
    }

    @Test
    void a_broker_that_is_down_can_be_marked_for_when_it_comes() throws Exception {
        Reply reply = daemon.ask(WIPE);
        daemon.register(master());

        assertThat(reply).isEqualTo(Reply.SUCCESS.with("wipeTopicCount", "0"));
        assertThat(perms("b1")).isEqualTo(Map.of("t1", 4, "t2", 4));
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "b\n1"})
    void what_cannot_be_a_brokers_name_is_refused(String name) throws Exception {
        Reply reply = daemon.ask(WIPE.with("brokerName", name));

        assertThat(reply.code()).isOne();
        assertThat(reply.remark()).startsWith("the custom field <brokerName> ");
        assertThat(daemon.ask(MARKS)).isEqualTo(NO_MARKS);
    }

    @Test
    void a_change_that_cannot_be_kept_is_code_1_and_no_change() throws Exception {
        daemon.register(master(), TestBroker.numbered(2));
        daemon.ask(WIPE);
        Path aside = daemon.home().resolve("aside");
        Files.move(daemon.home().resolve("namesrv"), aside);
        Files.writeString(daemon.home().resolve("namesrv"), "a file where the directory was");

        Reply wiped = daemon.ask(WIPE.with("brokerName", "b2"));
        Reply added = daemon.ask(ADD);

        assertThat(List.of(wiped, added)).containsOnly(Reply.error(1, NOT_WRITTEN));
        assertThat(perms("b1")).isEqualTo(Map.of("t1", 4, "t2", 4));
        assertThat(perms("b2")).isEqualTo(Map.of("t2a", 6, "t2b", 6));

        Files.delete(daemon.home().resolve("namesrv"));
        Files.move(aside, daemon.home().resolve("namesrv"));
        assertThat(daemon.ask(ADD)).isEqualTo(Reply.SUCCESS.with("addTopicCount", "2"));
    }

    @Test
    void a_daemon_that_may_not_write_refuses_both_and_says_why() throws Exception {
        daemon.ask(WIPE);
        daemon.restartAsAfterKill(); // the former one has the lock of the files until it is stopped
        daemon.register(master(), TestBroker.numbered(2));

        Reply wiped = daemon.ask(WIPE.with("brokerName", "b2"));
        Reply added = daemon.ask(ADD);
        Reply unmarked = daemon.ask(ADD.with("brokerName", "b2"));

        assertThat(List.of(wiped.code(), added.code())).containsOnly(1);
        assertThat(List.of(wiped.remark(), added.remark()))
                .allMatch(remark -> remark.contains(" too: key/value settings and settings cannot be changed here; "));
        assertThat(unmarked).isEqualTo(Reply.SUCCESS.with("addTopicCount", "2"));
        assertThat(perms("b1")).isEqualTo(Map.of("t1", 4, "t2", 4));
        assertThat(perms("b2")).isEqualTo(Map.of("t2a", 6, "t2b", 6));
    }

    @Test
    void it_is_a_key_value_setting_that_may_be_put_and_deleted_as_such() throws Exception {
        daemon.register(master(), TestBroker.numbered(2));
        daemon.ask(WIPE);

        daemon.ask(Request.of(102).with("namespace", "WRITE_PERM_WIPED").with("key", "b1"));
        daemon.ask(Request.of(100)
                .with("namespace", "WRITE_PERM_WIPED")
                .with("key", "b2")
                .with("value", "night shift"));

        assertThat(perms("b1")).isEqualTo(Map.of("t1", 6, "t2", 6));
        assertThat(perms("b2")).isEqualTo(Map.of("t2a", 4, "t2b", 4));
    }

    @Test
    void once_the_setting_is_off_marks_stay_until_327_and_new_wipes_are_as_ever() throws Exception {
        daemon.register(master(), TestBroker.numbered(2));
        daemon.ask(WIPE);

        assertThat(daemon.ask(NOT_STICKY)).isEqualTo(Reply.SUCCESS);
        daemon.ask(WIPE.with("brokerName", "b2"));
        Map<String, Integer> wipedAsEver = perms("b2");
        daemon.register(master().counter(2), TestBroker.numbered(2).counter(2));
        Map<String, Integer> marked = perms("b1");
        daemon.ask(ADD);

        assertThat(wipedAsEver).isEqualTo(Map.of("t2a", 4, "t2b", 4));
        assertThat(perms("b2")).isEqualTo(Map.of("t2a", 6, "t2b", 6));
        assertThat(marked).isEqualTo(Map.of("t1", 4, "t2", 4));
        assertThat(perms("b1")).isEqualTo(Map.of("t1", 6, "t2", 6));
    }

    @Test
    void a_group_whose_version_moved_is_told_to_whoever_follows_the_tables() throws Exception {
        daemon.register(master());
        long before = daemon.routes().topicVersion("t1");

        daemon.ask(WIPE);
        long wiped = daemon.routes().topicVersion("t1");
        daemon.ask(WIPE);
        long again = daemon.routes().topicVersion("t1");
        daemon.ask(ADD);

        assertThat(List.of(wiped, again, daemon.routes().topicVersion("t1")))
                .containsExactly(before + 1, before + 1, before + 2);
    }

    private Map<String, Integer> perms(String brokerName) {
        Map<String, Integer> perms = new TreeMap<>();
        daemon.tables()
                .routes()
                .forEach((topic, route) -> route.queueDatas().stream()
                        .filter(queue -> queue.brokerName().equals(brokerName))
                        .map(QueueData::perm)
                        .forEach(perm -> perms.put(topic, perm)));
        return perms;
    }
}
