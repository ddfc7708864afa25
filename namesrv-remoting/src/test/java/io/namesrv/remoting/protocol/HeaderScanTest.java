package io.namesrv.remoting.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class HeaderScanTest {
    private static final HeaderLimits NARROW = new HeaderLimits(1 << 20, 3, 12, 40, 60, new JsonBounds(32, 6, 3));

    private final HeaderScan scan = new HeaderScan();
    private final Random random = new Random(20_261_130);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"code\":105,\"extFields\":{\"topic\":\"T1\"},\"flag\":0,\"language\":\"JAVA\",\"opaque\":7,"
                        + "\"serializeTypeCurrentRPC\":\"JSON\",\"version\":479}",
                "{\"version\":1,\"opaque\":-2147483648,\"language\":\"GO\",\"flag\":0,\"code\":105}",
                " { \"extFields\" : { \"topic\" : \"T1\" , \"a\":\"\" } ,\n\"code\" : 105 } ",
                "{}",
                "{\"code\":105,\"remark\":null,\"extFields\":null,\"later\":true,\"more\":12,\"and\":\"text\"}",
                "{\"code\":105,\"remark\":\"why\",\"extFields\":{}}",
                "{\"code\":1,\"code\":105}"
            })
    void what_peers_send_is_known(String header) throws Exception {
        byte[] bytes = header.getBytes(StandardCharsets.UTF_8);

        assertThat(isKnown(SerializeType.JSON, bytes, HeaderLimits.DEFAULT)).isTrue();
        assertAgrees(SerializeType.JSON, bytes, HeaderLimits.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"code\":105,\"extFields\":{\"topic\":\"a\\u0041\"}}",
                "{\"code\":105,\"extFields\":{\"topic\":\"\u4e2d\"}}",
                "{\"code\":105,\"extFields\":{\"topic\":1}}",
                "{\"code\":105.0}",
                "{\"code\":\"105\"}",
                "{\"code\":1e2}",
                "{\"code\":99999999999}",
                "{\"language\":\"12\"}",
                "{\"later\":{}}",
                "{\"extFields\":{},\"extFields\":{\"topic\":\"x\"}}"
            })
    void what_is_unusual_is_left_to_the_codec(String header) throws Exception {
        byte[] bytes = header.getBytes(StandardCharsets.UTF_8);

        assertThat(isKnown(SerializeType.JSON, bytes, HeaderLimits.DEFAULT)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(SerializeType.class)
    void what_a_codec_writes_is_known(SerializeType form) throws Exception {
        for (int round = 0; round < 5_000; round++) {
            byte[] header = encoded(command(form));

            assertThat(isKnown(form, header, HeaderLimits.DEFAULT)).isTrue();
            assertAgrees(form, header, HeaderLimits.DEFAULT);
            assertAgrees(form, header, NARROW);
        }
    }

    /** Members in any order, with blanks and others between; then bytes changed, cut off, put in twice. */
    @ParameterizedTest
    @EnumSource(SerializeType.class)
    void where_it_knows_a_header_the_codec_reads_the_same(SerializeType form) throws Exception {
        int known = 0;
        for (int round = 0; round < 200_000; round++) {
            byte[] header = form == SerializeType.JSON && random.nextBoolean() ? shuffled() : encoded(command(form));
            byte[] changed = random.nextInt(4) == 0 ? header : changed(header);
            HeaderLimits limits = random.nextInt(4) == 0 ? NARROW : HeaderLimits.DEFAULT;
            if (assertAgrees(form, changed, limits)) {
                known++;
            }
        }
        assertThat(known).isGreaterThan(20_000);
    }

    /** Whether it was known; if it was, the codec agrees. */
    private boolean assertAgrees(SerializeType form, byte[] header, HeaderLimits limits) throws Exception {
        if (!isKnown(form, header, limits)) {
            return false;
        }
        RemotingCommand found = scan.command(Unpooled.EMPTY_BUFFER);
        RemotingCommand read;
        try {
            read = HeaderCodec.of(form, limits).decode(header, Unpooled.EMPTY_BUFFER);
        } catch (MalformedHeaderException refused) {
            throw new AssertionError("known, but refused: " + new String(header, StandardCharsets.ISO_8859_1), refused);
        }
        assertThat(all(found))
                .as(new String(header, StandardCharsets.ISO_8859_1))
                .isEqualTo(all(read));
        assertThat(List.of(scan.code(), scan.opaque(), scan.flag(), scan.version(), scan.serializeType()))
                .isEqualTo(List.of(read.code(), read.opaque(), read.flag(), read.version(), form));
        return true;
    }

    private boolean isKnown(SerializeType form, byte[] header, HeaderLimits limits) {
        byte[] larger = Arrays.copyOf(header, header.length + 5);
        return scan.read(form, larger, header.length, limits);
    }

    private static List<Object> all(RemotingCommand command) {
        return List.of(
                command.code(),
                command.opaque(),
                command.flag(),
                command.version(),
                command.language(),
                command.remark(),
                List.copyOf(command.extFields().entrySet()),
                command.defect().map(CommandException::remark),
                command.serializeType());
    }

    private static byte[] encoded(RemotingCommand command) {
        ByteBuf out = Unpooled.buffer();
        HeaderCodec.of(command.serializeType(), HeaderLimits.DEFAULT).encode(command, out);
        byte[] header = new byte[out.readableBytes()];
        out.readBytes(header);
        return header;
    }

    private RemotingCommand command(SerializeType form) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            fields.put(
                    List.of("topic", "a", "clusterName", "aVeryLongFieldName").get(random.nextInt(4)), text());
        }
        RemotingCommand command = RemotingCommand.request(random.nextInt(1 << 15), fields)
                .withOpaque(random.nextInt())
                .withFlag(random.nextInt(4))
                .withVersion(random.nextInt(500))
                .withSerializeType(form);
        return command;
    }

    private String text() {
        return "x".repeat(1 + random.nextInt(random.nextInt(8) == 0 ? 50 : 10));
    }

    private byte[] shuffled() {
        List<String> members = new ArrayList<>(List.of(
                "\"code\":" + random.nextInt(1000),
                "\"opaque\":" + random.nextInt(),
                "\"flag\":0",
                "\"version\":" + random.nextInt(1000),
                "\"language\":\"" + List.of("JAVA", "CPP", "KLINGON").get(random.nextInt(3)) + "\"",
                "\"extFields\":{\"topic\":\"" + text() + "\" , \"topic\":\"" + text() + "\",\"\":\"\"}",
                "\"extFields\":null",
                "\"remark\":\"" + text() + "\"",
                "\"serializeTypeCurrentRPC\":\"JSON\"",
                "\"x\":"
                        + List.of("true", "false", "null", "12", "\"t\"", "-0", "1.5", "[1]")
                                .get(random.nextInt(8))));
        Collections.shuffle(members, random);
        String separator = List.of(",", " , ", ",\n").get(random.nextInt(3));
        String text = "{" + String.join(separator, members.subList(0, random.nextInt(members.size()))) + "}";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private byte[] changed(byte[] header) {
        int at = random.nextInt(header.length + 1);
        return switch (random.nextInt(3)) {
            case 0 -> Arrays.copyOf(header, at);
            case 1 -> {
                byte[] more = new byte[header.length + 1];
                System.arraycopy(header, 0, more, 0, at);
                more[at] = odd();
                System.arraycopy(header, at, more, at + 1, header.length - at);
                yield more;
            }
            default -> {
                byte[] other = header.clone();
                if (at < other.length) {
                    other[at] = odd();
                }
                yield other;
            }
        };
    }

    private byte odd() {
        String odd = "\"\\{}[],: \n\t0123456789-.eEnulltrfasx\u0001";
        return random.nextInt(8) == 0 ? (byte) random.nextInt(256) : (byte) odd.charAt(random.nextInt(odd.length()));
    }

    @Test
    void fields_are_found_by_name() {
        byte[] header =
                "{\"code\":105,\"extFields\":{\"a\":\"1\",\"topic\":\"T1\"}}".getBytes(StandardCharsets.US_ASCII);
        isKnown(SerializeType.JSON, header, HeaderLimits.DEFAULT);

        assertThat(scan.fields()).isEqualTo(2);
        assertThat(scan.isName(1, "topic".getBytes(StandardCharsets.US_ASCII))).isTrue();
        assertThat(scan.isName(0, "topic".getBytes(StandardCharsets.US_ASCII))).isFalse();
        assertThat(Optional.of(scan.value(1))).contains("T1");
        assertThat(new String(
                        scan.bytes(),
                        scan.valueFrom(1),
                        scan.valueTo(1) - scan.valueFrom(1),
                        StandardCharsets.US_ASCII))
                .isEqualTo("T1");
    }
}
