package io.namesrv.remoting.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.namesrv.remoting.NoLeaks;
import io.namesrv.remoting.protocol.LanguageCode;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.SerializeType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames of the originals (PROTOCOL section 8), read and written. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@ExtendWith(NoLeaks.class)
class GoldenFramesWireTest {
    private static final Map<String, String> UNREGISTER =
            Map.of("brokerId", "0", "clusterName", "C1", "brokerAddr", "127.0.0.1:10911", "brokerName", "b");

    private static RemotingCommand read(String name) {
        try (DecoderBench bench = new DecoderBench()) {
            return bench.feed(Wire.golden(name)).onlyCommand();
        }
    }

    private static void assertRequest(
            RemotingCommand command,
            SerializeType form,
            int code,
            int opaque,
            int version,
            Map<String, String> fields) {
        assertThat(command.serializeType()).isEqualTo(form);
        assertThat(command.code()).isEqualTo(code);
        assertThat(command.opaque()).isEqualTo(opaque);
        assertThat(command.version()).isEqualTo(version);
        assertThat(command.language()).isEqualTo(LanguageCode.JAVA);
        assertThat(command.flag()).isZero();
        assertThat(command.remark()).isEmpty();
        assertThat(command.extFields()).isEqualTo(fields);
        assertThat(command.bodyBytes()).isEmpty();
    }

    /** The header of a JSON frame without a body, once its two length words have been found right. */
    private static JSONObject header(byte[] frame) {
        ByteBuffer words = ByteBuffer.wrap(frame);
        assertThat(words.getInt()).isEqualTo(frame.length - 4);
        assertThat(words.getInt()).isEqualTo(frame.length - 8);
        return JSON.parseObject(new String(frame, 8, frame.length - 8, StandardCharsets.UTF_8));
    }

    private static RemotingCommand answer(RemotingCommand answer, SerializeType form, int opaque, int version) {
        RemotingCommand request =
                RemotingCommand.request(0, Map.of()).withSerializeType(form).withOpaque(opaque);
        return answer.answering(request, version);
    }

    @Test
    void requests_are_read_as_they_were_meant() {
        assertRequest(read("g1-request-105-json"), SerializeType.JSON, 105, 7, 479, Map.of("topic", "T1"));
        assertRequest(read("g2-request-105-rocketmq"), SerializeType.ROCKETMQ, 105, 7, 479, Map.of("topic", "T1"));
        assertRequest(read("g3-request-104-json"), SerializeType.JSON, 104, 8, 479, UNREGISTER);
        assertRequest(read("g3-request-104-rocketmq"), SerializeType.ROCKETMQ, 104, 8, 479, UNREGISTER);
        assertRequest(
                read("g5-request-205-rocketmq"), SerializeType.ROCKETMQ, 205, 0x21, 407, Map.of("brokerName", "none"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"g4-reply-17-json", "g4-reply-17-rocketmq"})
    void a_reply_is_read(String name) {
        RemotingCommand reply = read(name);

        assertThat(reply.isResponse()).isTrue();
        assertThat(reply.code()).isEqualTo(17);
        assertThat(reply.opaque()).isEqualTo(9);
        assertThat(reply.remark()).contains("no");
    }

    @Test
    void requests_are_written_in_the_binary_form_byte_for_byte() {
        RemotingCommand route = RemotingCommand.request(105, Map.of("topic", "T1"))
                .withSerializeType(SerializeType.ROCKETMQ)
                .withOpaque(7)
                .withVersion(479);

        assertThat(Wire.encode(route)).isEqualTo(Wire.golden("g2-request-105-rocketmq"));
    }

    @Test
    void answers_are_written_in_the_binary_form_byte_for_byte() {
        RemotingCommand no = answer(RemotingCommand.error(17, "no"), SerializeType.ROCKETMQ, 9, 479);
        RemotingCommand wiped = answer(
                RemotingCommand.success().withExtField("wipeTopicCount", "0"), SerializeType.ROCKETMQ, 0x21, 407);

        assertThat(Wire.encode(no)).isEqualTo(Wire.golden("g4-reply-17-rocketmq"));
        assertThat(Wire.encode(wiped)).isEqualTo(Wire.golden("g5-reply-205-rocketmq"));
    }

    @Test
    void a_request_is_written_in_json_with_the_same_members() {
        RemotingCommand route = RemotingCommand.request(105, Map.of("topic", "T1"))
                .withOpaque(7)
                .withVersion(479);

        assertThat(header(Wire.encode(route))).isEqualTo(header(Wire.golden("g1-request-105-json")));
    }

    @Test
    void answers_are_written_in_json_with_the_same_members() {
        RemotingCommand no = answer(RemotingCommand.error(17, "no"), SerializeType.JSON, 9, 479);
        RemotingCommand unknown =
                answer(RemotingCommand.error(3, " request type 9999 not supported"), SerializeType.JSON, 17, 479);
        RemotingCommand added =
                answer(RemotingCommand.success().withExtField("addTopicCount", "0"), SerializeType.JSON, 19, 479);

        assertThat(header(Wire.encode(no))).isEqualTo(header(Wire.golden("g4-reply-17-json")));
        assertThat(header(Wire.encode(unknown))).isEqualTo(header(Wire.golden("g6-reply-9999-json")));
        assertThat(header(Wire.encode(added))).isEqualTo(header(Wire.golden("g7-reply-327-json")));
    }
}
