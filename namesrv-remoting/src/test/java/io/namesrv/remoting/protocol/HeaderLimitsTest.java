package io.namesrv.remoting.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class HeaderLimitsTest {
    private static RemotingCommand sent(SerializeType form, int code, Map<String, String> fields) {
        HeaderCodec codec = HeaderCodec.of(form, HeaderLimits.DEFAULT);
        ByteBuf out = Unpooled.buffer();
        codec.encode(RemotingCommand.request(code, fields).withOpaque(9), out);
        try {
            return codec.decode(ByteBufUtil.getBytes(out), Unpooled.EMPTY_BUFFER);
        } catch (MalformedHeaderException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, String> numbered(int count) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            fields.put("k" + i, "v");
        }
        return fields;
    }

    private static void assertRefused(RemotingCommand command, String remark) {
        assertThat(command.opaque()).isEqualTo(9);
        assertThat(command.extFields()).isEmpty();
        assertThat(command.defect()).hasValueSatisfying(defect -> {
            assertThat(defect.code()).isEqualTo(ResponseCode.SYSTEM_ERROR);
            assertThat(defect.remark()).isEqualTo(remark);
        });
    }

    @ParameterizedTest
    @EnumSource
    void up_to_256_fields_are_taken(SerializeType form) {
        assertThat(sent(form, 105, numbered(256)).extFields()).hasSize(256);
        assertThat(sent(form, 105, numbered(256)).defect()).isEmpty();
        assertRefused(sent(form, 105, numbered(257)), "more than 256 header fields (extFieldsMax)");
    }

    @ParameterizedTest
    @EnumSource
    void a_name_may_have_256_bytes(SerializeType form) {
        assertThat(sent(form, 105, Map.of("é".repeat(128), "v")).defect()).isEmpty();
        assertRefused(
                sent(form, 105, Map.of("é".repeat(129), "v")),
                "the name of a header field is longer than 256 bytes (extFieldNameMax)");
    }

    @ParameterizedTest
    @EnumSource
    void a_value_may_have_64_kibibytes(SerializeType form) {
        assertThat(sent(form, 105, Map.of("topic", "é".repeat(32 << 10))).defect())
                .isEmpty();
        assertRefused(
                sent(form, 105, Map.of("topic", "é".repeat(32 << 10) + "x")),
                "the custom field <topic> is longer than 65536 bytes (extFieldValueMax)");
    }

    @ParameterizedTest
    @EnumSource
    void only_the_value_of_a_kv_write_may_be_longer(SerializeType form) {
        String large = "v".repeat(1_000_000);

        assertThat(sent(form, RequestCode.PUT_KV_CONFIG, Map.of("value", large)).extFields())
                .containsEntry("value", large);
        assertRefused(
                sent(form, RequestCode.PUT_KV_CONFIG, Map.of("key", large)),
                "the custom field <key> is longer than 65536 bytes (extFieldValueMax)");
        assertRefused(
                sent(form, RequestCode.GET_KV_CONFIG, Map.of("value", large)),
                "the custom field <value> is longer than 65536 bytes (extFieldValueMax)");
        assertRefused(
                sent(form, RequestCode.PUT_KV_CONFIG, Map.of("value", "v".repeat((1 << 20) + 1))),
                "the custom field <value> is longer than 65536 bytes (extFieldValueMax)");
    }

    @Test
    void the_code_may_stand_behind_a_large_kv_value() throws MalformedHeaderException {
        String header = "{\"extFields\":{\"value\":\"" + "v".repeat(70_000) + "\"},\"opaque\":9,\"code\":";
        HeaderCodec codec = HeaderCodec.of(SerializeType.JSON, HeaderLimits.DEFAULT);

        RemotingCommand put = codec.decode((header + "100}").getBytes(StandardCharsets.UTF_8), Unpooled.EMPTY_BUFFER);
        RemotingCommand get = codec.decode((header + "101}").getBytes(StandardCharsets.UTF_8), Unpooled.EMPTY_BUFFER);

        assertThat(put.defect()).isEmpty();
        assertRefused(get, "the custom field <value> is longer than 65536 bytes (extFieldValueMax)");
    }

    @Test
    void colliding_names_cost_nothing_beyond_the_limit() {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < 1 << 14; i++) {
            StringBuilder name = new StringBuilder();
            for (int bit = 0; bit < 14; bit++) {
                name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            fields.put(name.toString(), "v");
        }

        assertRefused(sent(SerializeType.JSON, 105, fields), "more than 256 header fields (extFieldsMax)");
    }

    @Test
    void a_limit_of_0_is_none() {
        HeaderLimits none = new HeaderLimits(0, 0, 0, 0, 0, new JsonBounds(0, 0, 0));

        assertThat(none.fieldsMax()).isEqualTo(Integer.MAX_VALUE);
        assertThat(none.json().maxDepth()).isEqualTo(Integer.MAX_VALUE);
    }
}
