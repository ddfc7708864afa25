package io.namesrv.remoting.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.namesrv.remoting.CloseReason;
import io.namesrv.remoting.Connection;
import io.namesrv.remoting.ConnectionListener;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.Lane;
import io.namesrv.remoting.NoLeaks;
import io.namesrv.remoting.ProcessorTable;
import io.namesrv.remoting.RequestDispatcher;
import io.namesrv.remoting.RequestObserver;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.RequestCode;
import io.namesrv.remoting.protocol.SerializeType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@DisplayNameGeneration(ReplaceUnderscores.class)
@ExtendWith(NoLeaks.class)
class OnewaySenderTest {
    private static final RemotingCommand NOTIFY = RemotingCommand.request(
            RequestCode.NOTIFY_MIN_BROKER_ID_CHANGE, Map.of("minBrokerId", "0", "minBrokerAddr", "127.0.0.1:10911"));

    private final List<RemotingCommand> received = new CopyOnWriteArrayList<>();
    private final List<String> connections = new CopyOnWriteArrayList<>();
    private RemotingServer broker = broker();
    private InetSocketAddress address = new InetSocketAddress(0);

    private RemotingServer broker() {
        RequestDispatcher dispatcher = new RequestDispatcher(
                ProcessorTable.builder()
                        .on(
                                RequestCode.NOTIFY_MIN_BROKER_ID_CHANGE,
                                (context, request) -> {
                                    received.add(request);
                                    return RemotingCommand.success();
                                },
                                Lane.inline("inline"))
                        .build(),
                RequestObserver.NONE,
                479);
        return new RemotingServer(
                SocketOptions.DEFAULT.listeningOn("127.0.0.1", 0),
                Entrance.PLAIN,
                ConnectionLimits.DEFAULT,
                dispatcher,
                new Events(),
                new CountingAdmission(0, "registrationInFlightMax"));
    }

    @BeforeEach
    void startBroker() throws IOException {
        address = broker.start();
    }

    @AfterEach
    void stopBroker() {
        broker.stop(Duration.ofSeconds(2));
    }

    private static OnewayOptions options(
            int inFlight, int connections, Duration sendTimeout, Duration idle, SerializeType form) {
        return new OnewayOptions(inFlight, connections, Duration.ofSeconds(3), sendTimeout, idle, form, 479, true);
    }

    private String brokerAddress() {
        return "127.0.0.1:" + address.getPort();
    }

    @Test
    void a_request_arrives_one_way_and_in_the_wanted_form() {
        for (SerializeType form : SerializeType.values()) {
            received.clear();
            OnewaySender sender =
                    new OnewaySender(options(256, 10, Duration.ofSeconds(5), Duration.ofMinutes(1), form));

            sender.send(brokerAddress(), NOTIFY);

            await().until(() -> received.size() == 1);
            RemotingCommand request = received.get(0);
            assertThat(request.isOneway()).isTrue();
            assertThat(request.serializeType()).isEqualTo(form);
            assertThat(request.version()).isEqualTo(479);
            assertThat(request.extFields()).isEqualTo(NOTIFY.extFields());
            sender.close(Duration.ofSeconds(2));
        }
    }

    @Test
    void requests_to_one_address_share_a_connection() {
        OnewaySender sender =
                new OnewaySender(options(1000, 10, Duration.ofSeconds(5), Duration.ofMinutes(1), SerializeType.JSON));

        for (int i = 0; i < 100; i++) {
            sender.send(brokerAddress(), NOTIFY);
        }

        await().until(() -> received.size() == 100);
        assertThat(received).extracting(RemotingCommand::opaque).doesNotHaveDuplicates();
        assertThat(connections).containsExactly("opened");
        await().until(() -> sender.inFlight() == 0);
        sender.close(Duration.ofSeconds(2));
        await().until(() -> connections.size() == 2);
    }

    @Test
    void an_idle_connection_is_closed_and_made_again() {
        OnewaySender sender =
                new OnewaySender(options(10, 10, Duration.ofSeconds(5), Duration.ofMillis(200), SerializeType.JSON));
        sender.send(brokerAddress(), NOTIFY);
        await().until(() -> connections.equals(List.of("opened", "closed")));

        sender.send(brokerAddress(), NOTIFY);

        await().until(() -> received.size() == 2);
        sender.close(Duration.ofSeconds(2));
    }

    @Test
    void what_goes_to_a_dead_port_or_to_no_address_is_forgotten() throws IOException {
        int dead;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            dead = socket.getLocalPort();
        }
        OnewaySender sender =
                new OnewaySender(options(256, 10, Duration.ofSeconds(5), Duration.ofMinutes(1), SerializeType.JSON));

        for (String to : new String[] {"127.0.0.1:" + dead, "", "nonsense", "a:b", ":1", "127.0.0.1:0", "x y z:1"}) {
            sender.send(to, NOTIFY);
        }
        sender.send(brokerAddress(), NOTIFY);

        await().atMost(Duration.ofSeconds(20)).until(() -> received.size() == 1 && sender.inFlight() == 0);
        sender.close(Duration.ofSeconds(2));
    }

    @Test
    void a_peer_that_reads_nothing_holds_up_nobody() throws IOException {
        OnewaySender sender =
                new OnewaySender(options(256, 10, Duration.ofMillis(300), Duration.ofMinutes(1), SerializeType.JSON));
        try (ServerSocket deaf = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 50; i++) {
                sender.send("127.0.0.1:" + deaf.getLocalPort(), NOTIFY.withBody(new byte[1 << 20]));
            }
            sender.send(brokerAddress(), NOTIFY);

            await().until(() -> received.size() == 1);
            await().atMost(Duration.ofSeconds(20)).until(() -> sender.inFlight() == 0);
        }
        sender.close(Duration.ofSeconds(2));
    }

    @Test
    void requests_beyond_those_in_flight_are_dropped() throws IOException {
        OnewaySender sender =
                new OnewaySender(options(3, 10, Duration.ofSeconds(20), Duration.ofMinutes(1), SerializeType.JSON));
        try (ServerSocket deaf = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 10; i++) {
                sender.send("127.0.0.1:" + deaf.getLocalPort(), NOTIFY.withBody(new byte[4 << 20]));
                assertThat(sender.inFlight()).isLessThanOrEqualTo(3);
            }
            sender.send(brokerAddress(), NOTIFY);

            assertThat(sender.inFlight()).isEqualTo(3);
        }
        sender.close(Duration.ofSeconds(2));
        assertThat(received).isEmpty();
    }

    @Test
    void what_is_on_its_way_when_the_sender_closes_is_let_go() throws IOException {
        try (ServerSocket deaf = new ServerSocket(0, 500, InetAddress.getLoopbackAddress())) {
            for (int round = 0; round < 50; round++) {
                OnewaySender sender = new OnewaySender(
                        options(256, 10, Duration.ofSeconds(20), Duration.ofMinutes(1), SerializeType.JSON));
                for (int i = 0; i < 1 + round % 20; i++) {
                    sender.send("127.0.0.1:" + deaf.getLocalPort(), NOTIFY.withBody(new byte[1 << 20]));
                }
                sender.close(Duration.ofSeconds(2));

                assertThat(sender.inFlight()).isZero();
            }
        }
    }

    @Test
    void addresses_beyond_the_bound_are_dropped() throws IOException {
        OnewaySender sender =
                new OnewaySender(options(10, 1, Duration.ofSeconds(5), Duration.ofMinutes(1), SerializeType.JSON));
        try (ServerSocket other = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            sender.send(brokerAddress(), NOTIFY);
            await().until(() -> received.size() == 1);

            sender.send("127.0.0.1:" + other.getLocalPort(), NOTIFY);
            sender.send(brokerAddress(), NOTIFY);

            await().until(() -> received.size() == 2 && sender.inFlight() == 0);
        }
        sender.close(Duration.ofSeconds(2));
    }

    @Test
    void a_closed_sender_takes_nothing_and_complains_to_nobody() {
        OnewaySender sender = new OnewaySender(OnewayOptions.DEFAULT);
        sender.close(Duration.ofSeconds(2));

        sender.send(brokerAddress(), NOTIFY);
        sender.close(Duration.ofSeconds(2));

        assertThat(sender.inFlight()).isZero();
    }

    private final class Events implements ConnectionListener {
        @Override
        public void opened(Connection connection) {
            connections.add("opened");
        }

        @Override
        public void closed(Connection connection, CloseReason reason) {
            connections.add("closed");
        }
    }
}
