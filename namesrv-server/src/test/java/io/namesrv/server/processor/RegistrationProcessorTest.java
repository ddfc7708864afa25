package io.namesrv.server.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.Connection;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.RequestContext;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.RequestCode;
import io.namesrv.server.config.ConfigLoader;
import io.namesrv.server.config.LiveConfig;
import io.namesrv.server.config.NamesrvConfig.Names;
import io.namesrv.server.route.MinBrokerIdNotifier;
import io.namesrv.server.route.RouteEffects;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.Mockito;
import org.slf4j.LoggerFactory;

/** Which registrations are read, and which are known again unread. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class RegistrationProcessorTest {
    private static final int V5_3_3 = 479;
    private static final String BODY = """
            {"topicConfigSerializeWrapper":{"dataVersion":{"counter":1,"timestamp":7},"topicConfigTable":{
            "orders":{"topicName":"orders","perm":6,"readQueueNums":4,"writeQueueNums":4},
            "bills":{"topicName":"bills","perm":6,"readQueueNums":4,"writeQueueNums":4}}},
            "filterServerList":[],"left out":"........................................"}""";

    private final RouteInfoManager routes = new RouteInfoManager(() -> 0);
    private final List<RouteChange> told = new ArrayList<>();
    private final RegistrationBodies bodies =
            new RegistrationBodies(new NameRules(new Names(false, 512, 255, 255, 255)), 32, 64, 1000);
    private final RegistrationReader reader = Mockito.spy(new RegistrationReader(
            new NameRules(new Names(false, 512, 255, 255, 255)),
            bodies,
            new CompressedRegistration(bodies, 4 << 20),
            120_000));
    private final CountingAdmission room = new CountingAdmission(0, "");
    private LiveConfig config;
    private RegistrationProcessor processor;

    @BeforeEach
    void begin(@TempDir Path home) throws Exception {
        config = new LiveConfig(
                new ConfigLoader(Map.of("user.home", home.toString(), "rocketmq.home.dir", home.toString()), Map.of())
                        .load());
        processor = new RegistrationProcessor(
                routes,
                new KVConfigManager(Map.of(), table -> {}, Runnable::run, KVConfigManager.Limits.NONE),
                config,
                reader,
                new RouteEffects(Mockito.mock(MinBrokerIdNotifier.class), told::add));
    }

    private static Map<String, String> header() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("clusterName", "c1");
        fields.put("brokerName", "b1");
        fields.put("brokerId", "0");
        fields.put("brokerAddr", "10.0.0.1:10911");
        fields.put("haServerAddr", "10.0.0.1:10912");
        fields.put("heartbeatTimeoutMillis", "10000");
        fields.put("enableActingMaster", "false");
        fields.put("compressed", "false");
        fields.put("bodyCrc32", "0");
        fields.put("__ZONE_NAME", "z1");
        return fields;
    }

    private static RemotingCommand request(Map<String, String> header, byte[] body) {
        return RemotingCommand.request(RequestCode.REGISTER_BROKER, header)
                .withBody(body)
                .withVersion(V5_3_3);
    }

    private static byte[] body() {
        return BODY.getBytes(StandardCharsets.UTF_8);
    }

    private static int crc32(byte[] body) {
        CRC32 crc = new CRC32();
        crc.update(body);
        return (int) (crc.getValue() & 0x7FFFFFFF);
    }

    private RemotingCommand send(RemotingCommand request) throws CommandException {
        return send(request, 1);
    }

    private RemotingCommand send(RemotingCommand request, long connection) throws CommandException {
        Connection from = Mockito.mock(Connection.class);
        Mockito.when(from.id()).thenReturn(connection);
        Mockito.when(from.isOpen()).thenReturn(true);
        Mockito.when(from.remote()).thenReturn("test");
        try (CountingAdmission.Growth growth = room.growth()) {
            return processor.registerBroker(new RequestContext(from, 0), request, growth);
        }
    }

    /** How many bodies were read since the last call. */
    private int read() throws CommandException {
        int times = Mockito.mockingDetails(reader).getInvocations().size();
        Mockito.clearInvocations(reader);
        return times;
    }

    @Test
    void a_repeat_is_answered_as_the_first_one_and_not_read() throws CommandException {
        RemotingCommand first = send(request(header(), body()));
        assertThat(read()).isOne();

        RemotingCommand second = send(request(header(), body()));

        assertThat(read()).isZero();
        assertThat(second.code()).isEqualTo(first.code());
        assertThat(second.extFields()).isEqualTo(first.extFields());
        assertThat(second.bodyBytes()).isEqualTo(first.bodyBytes());
        assertThat(told).hasSize(2);
        assertThat(told.get(1).isEmpty()).isTrue();
    }

    @Test
    void one_that_differs_in_any_field_of_its_header_is_read() throws CommandException {
        Map<String, String> others = new LinkedHashMap<>();
        others.put("clusterName", "c2");
        others.put("brokerName", "b2");
        others.put("brokerId", "1");
        others.put("brokerAddr", "10.0.0.2:10911");
        others.put("haServerAddr", "10.0.0.1:10913");
        others.put("heartbeatTimeoutMillis", "10001");
        others.put("enableActingMaster", "true");
        others.put("compressed", "true");
        others.put("bodyCrc32", Integer.toString(crc32(body())));
        others.put("__ZONE_NAME", "z2");
        assertThat(others).containsOnlyKeys(header().keySet());

        for (String field : header().keySet()) {
            send(request(header(), body()));
            send(request(header(), body()));
            read();

            Map<String, String> other = header();
            other.put(field, others.getOrDefault(field, ""));
            send(request(other, body()));

            assertThat(read()).as(field).isOne();
        }
        send(request(header(), body()));
        send(request(header(), body()));
        read();
        send(request(header(), body()).withVersion(V5_3_3 - 1));
        assertThat(read()).as("version").isOne();
    }

    @Test
    void one_that_lacks_a_field_is_read() throws CommandException {
        for (String field : List.of("haServerAddr", "heartbeatTimeoutMillis", "enableActingMaster", "__ZONE_NAME")) {
            send(request(header(), body()));
            read();
            Map<String, String> other = header();
            other.remove(field);
            send(request(other, body()));
            assertThat(read()).as(field).isOne();
        }
    }

    @Test
    void one_whose_body_differs_in_any_byte_is_read() throws CommandException {
        byte[] body = body();
        for (int at = BODY.indexOf("...."); at < BODY.lastIndexOf("...."); at++) {
            send(request(header(), body));
            read();
            byte[] other = body.clone();
            other[at] ^= 1;
            send(request(header(), other));
            assertThat(read()).as("byte %s", at).isOne();
        }
    }

    @Test
    void one_whose_body_has_the_same_checksum_is_another_one() throws CommandException {
        byte[] other = body();
        forge(other, BODY.indexOf("....") + 4);
        assertThat(other).isNotEqualTo(body()).hasSameSizeAs(body());
        assertThat(crc32(other)).isEqualTo(crc32(body()));
        Map<String, String> header = header();
        header.put("bodyCrc32", Integer.toString(crc32(body())));

        assertThat(RegistrationRequest.from(request(header, other)).fingerprint())
                .isNotEqualTo(RegistrationRequest.from(request(header, body())).fingerprint());
        assertThat(RegistrationRequest.from(request(header, body())).fingerprint())
                .isEqualTo(RegistrationRequest.from(request(header, body())).fingerprint());
    }

    /** Adds the generator polynomial, of which a checksum sees nothing. */
    private static void forge(byte[] body, int at) {
        String polynomial = "100000100110000010001110110110111";
        for (int bit = 0; bit < polynomial.length(); bit++) {
            if (polynomial.charAt(bit) == '1') {
                body[at + bit / 8] ^= (byte) (1 << (bit % 8));
            }
        }
    }

    @Test
    void a_wrong_checksum_is_refused_also_of_a_body_that_is_known() throws CommandException {
        send(request(header(), body()));
        Map<String, String> header = header();
        header.put("bodyCrc32", "1");

        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> send(request(header, body())))
                .withMessageContaining("crc32");
        read();
        send(request(header(), body()));
        assertThat(read()).isZero();
    }

    @Test
    void of_topics_that_break_a_rule_an_operator_hears_each_time() throws CommandException {
        byte[] body = BODY.replace("bills", "\\u0000").getBytes(StandardCharsets.UTF_8);
        Logger logger = (Logger) LoggerFactory.getLogger(RegistrationProcessor.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            send(request(header(), body));
            send(request(header(), body));
        } finally {
            logger.detachAppender(log);
        }

        assertThat(read()).isOne();
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .hasSize(2)
                .allMatch(line -> line.startsWith("topics skipped, they break a rule: number=1 one=\\u0000 "));
    }

    @Test
    void one_over_another_connection_is_read() throws CommandException {
        send(request(header(), body()));
        read();

        send(request(header(), body()), 2);
        assertThat(read()).isOne();
        send(request(header(), body()), 2);
        assertThat(read()).isZero();
    }

    @Test
    void a_topic_that_was_deleted_comes_back_with_the_next_one() throws CommandException {
        send(request(header(), body()));
        routes.deleteTopic("orders", new ConnectionId(9));

        send(request(header(), body()));

        assertThat(routes.allTopicList()).contains("orders");
    }

    @Test
    void after_a_change_of_deleteTopicWithBrokerRegistration_it_is_read() throws Exception {
        send(request(header(), body()));
        read();
        config.update("deleteTopicWithBrokerRegistration=true".getBytes(StandardCharsets.UTF_8));

        send(request(header(), body()));
        assertThat(read()).isOne();
        send(request(header(), body()));
        assertThat(read()).isZero();
    }
}
