package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.server.daemon.TestBroker.Topic;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Brokers that come, change and go, and clients that ask for their routes meanwhile, all of it recorded in a
 * {@link History}. Each broker and each client is a thread with a connection of its own.
 *
 * <p>A broker says the number of its registration in the queues of its topics: of {@code shared}, which all have, and of
 * one of its own.
 */
final class ClusterTraffic implements AutoCloseable {
    /** What a broker does next. */
    enum Deed {
        REGISTER,
        UNREGISTER,
        /** Its connection breaks, and it comes back over another. */
        BREAK_OFF,
        /** It says nothing for longer than its timeout. */
        FALL_SILENT
    }

    /**
     * How much of it.
     *
     * @param brokers that many
     * @param clients that many
     * @param pauseMillis a broker rests up to so long between two deeds, a client a tenth of it
     * @param rare what is done now and then beside registrations
     */
    record Amount(int brokers, int clients, int pauseMillis, Set<Deed> rare) {}

    /** The shortest timeout that the daemon grants, and how long a scan may take to come. */
    static final Duration TIMEOUT = Duration.ofSeconds(1);

    /** How long after its due time a departure that nobody answers may be seen: half a minute of grace, should it pause. */
    private static final Duration DEPARTURE_LIMIT = Duration.ofSeconds(45);

    private static final int QUEUES_MAX = 65_000;
    private static final int BUSY = 2;
    private static final int NO_ROUTE = 17;
    private static final String SHARED = "shared";
    private static final Pattern QUEUES =
            Pattern.compile("\"brokerName\":\"(h\\d+)\",\"perm\":6,\"readQueueNums\":(\\d+),"
                    + "\"topicSysFlag\":0,\"writeQueueNums\":\\2}");
    private static final Pattern GROUP = Pattern.compile("\"brokerName\":\"(h\\d+)\",\"cluster\"");

    private final int port;
    private final Amount amount;
    private final History history = new History();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger refused = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ending;
    private volatile boolean daemonMayEnd;

    private ClusterTraffic(int port, Amount amount) {
        this.port = port;
        this.amount = amount;
    }

    /** Begins. */
    static ClusterTraffic start(int port, long seed, Amount amount) {
        ClusterTraffic traffic = new ClusterTraffic(port, amount);
        for (int i = 0; i < amount.brokers(); i++) {
            traffic.run("broker-" + i, traffic.new Broker(i, new Random(seed + i)));
        }
        for (int i = 0; i < amount.clients(); i++) {
            traffic.run("client-" + i, traffic.new Client(new Random(seed - 1 - i)));
        }
        return traffic;
    }

    private void run(String name, Member member) {
        Thread thread = new Thread(
                () -> {
                    try {
                        member.live();
                    } catch (IOException ended) {
                        if (!daemonMayEnd) {
                            failures.add(new AssertionError(name + " was cut off", ended));
                        }
                    } catch (Throwable failure) {
                        failures.add(new AssertionError(name + " failed", failure));
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    /** From now on it is no fault if the daemon is gone. */
    void daemonMayEnd() {
        daemonMayEnd = true;
    }

    /** Questions of clients that were answered with code 2. */
    int refused() {
        return refused.get();
    }

    /** Ends it, and checks what was recorded. */
    History end() throws InterruptedException {
        ending = true;
        for (Thread thread : threads) {
            thread.join(120_000);
            assertThat(thread.isAlive()).as(thread + " is alive").isFalse();
        }
        assertThat(failures).isEmpty();
        assertThat(history.violations()).isEmpty();
        return history;
    }

    @Override
    public void close() {
        ending = true;
        daemonMayEnd = true;
        threads.forEach(Thread::interrupt);
    }

    @FunctionalInterface
    private interface Member {
        void live() throws IOException, InterruptedException;
    }

    private static String own(int broker) {
        return "own-h" + broker;
    }

    /** Half of the departures that nobody answers are looked after: when it is seen, it has happened. */
    private long awaitDeparture(Random random, int broker, long due) throws IOException, InterruptedException {
        if (random.nextBoolean()) {
            return due;
        }
        try (Peer peer = new Peer(port)) {
            while (true) {
                Reply reply = peer.ask(Request.of(105).with("topic", own(broker)));
                long now = System.nanoTime();
                if (reply.code() == NO_ROUTE) {
                    return now;
                }
                assertThat(now).as("h" + broker + " is gone in time").isLessThan(due);
                Thread.sleep(5);
            }
        }
    }

    /** One broker. */
    private final class Broker implements Member {
        private final int index;
        private final String name;
        private final TestBroker broker;
        private final Topic ownTopic;
        private final Random random;
        private final List<Deed> rare;
        private int number;

        Broker(int index, Random random) {
            this.index = index;
            this.name = "h" + index;
            this.broker =
                    TestBroker.numbered(index).cluster("traffic").name(name).with("heartbeatTimeoutMillis", 600_000);
            this.ownTopic = new Topic(own(index));
            this.random = random;
            this.rare = List.copyOf(amount.rare());
        }

        @Override
        public void live() throws IOException, InterruptedException {
            Peer peer = new Peer(port);
            try {
                while (!ending && number < QUEUES_MAX) {
                    Thread.sleep(random.nextInt(1 + amount.pauseMillis()));
                    boolean usual = rare.isEmpty() || number == 0 || random.nextInt(10) < 7;
                    switch (usual ? Deed.REGISTER : rare.get(random.nextInt(rare.size()))) {
                        case REGISTER -> register(peer, broker);
                        case UNREGISTER -> answered(peer, broker.unregister(), History.ABSENT);
                        case FALL_SILENT -> {
                            fallSilent(peer);
                            peer.close(); // if the daemon has not done it
                            peer = new Peer(port);
                        }
                        case BREAK_OFF -> {
                            breakOff(peer);
                            peer = new Peer(port);
                        }
                    }
                }
            } finally {
                breakOff(peer);
            }
        }

        private void breakOff(Peer peer) throws IOException, InterruptedException {
            long from = System.nanoTime();
            peer.close();
            long due = from + DEPARTURE_LIMIT.toNanos();
            try {
                due = awaitDeparture(random, index, due);
            } finally {
                history.changed(name, History.ABSENT, from, due);
            }
        }

        private void register(Peer peer, TestBroker as) throws IOException {
            number++;
            TestBroker now = as.counter(number).topics(new Topic(SHARED).queues(number), ownTopic.queues(number));
            answered(peer, now.register(), number);
        }

        /** A request that has to succeed, under any load, and whose effect is recorded. */
        private void answered(Peer peer, Request request, int state) throws IOException {
            long from = System.nanoTime();
            Reply reply;
            try {
                reply = peer.ask(request);
            } catch (IOException lost) {
                history.changed(name, state, from, History.NEVER);
                throw lost;
            }
            assertThat(reply.code()).as(reply.remark()).isZero();
            history.changed(name, state, from, System.nanoTime());
        }

        private void fallSilent(Peer peer) throws IOException, InterruptedException {
            long from = System.nanoTime();
            register(peer, broker.with("heartbeatTimeoutMillis", TIMEOUT.toMillis()));
            long due = System.nanoTime() + TIMEOUT.plus(DEPARTURE_LIMIT).toNanos();
            Thread.sleep(TIMEOUT.toMillis() + random.nextInt(500));
            try {
                due = awaitDeparture(random, index, due);
            } finally {
                history.changed(name, History.ABSENT, from + TIMEOUT.toNanos(), due);
            }
        }
    }

    /** One client. */
    private final class Client implements Member {
        private final Random random;

        Client(Random random) {
            this.random = random;
        }

        @Override
        public void live() throws IOException, InterruptedException {
            try (Peer peer = new Peer(port)) {
                while (!ending) {
                    Thread.sleep(random.nextInt(1 + amount.pauseMillis() / 10));
                    switch (random.nextInt(3)) {
                        case 0 -> askShared(peer);
                        case 1 -> askOwn(peer, random.nextInt(amount.brokers()));
                        default -> askClusters(peer);
                    }
                }
            }
        }

        private void askShared(Peer peer) throws IOException {
            Map<String, Integer> all = new HashMap<>();
            for (int i = 0; i < amount.brokers(); i++) {
                all.put("h" + i, History.ABSENT);
            }
            askRoute(peer, SHARED, all);
        }

        private void askOwn(Peer peer, int broker) throws IOException {
            askRoute(peer, own(broker), Map.of("h" + broker, History.ABSENT));
        }

        private void askRoute(Peer peer, String topic, Map<String, Integer> allAbsent) throws IOException {
            long from = System.nanoTime();
            Reply reply = peer.ask(Request.of(105).with("topic", topic));
            long to = System.nanoTime();
            Map<String, Integer> states = new HashMap<>(allAbsent);
            if (reply.code() == BUSY) {
                refused.incrementAndGet();
                return;
            }
            if (reply.code() != NO_ROUTE) {
                assertThat(reply.code()).as(reply.remark()).isZero();
                Matcher queues = QUEUES.matcher(reply.body());
                while (queues.find()) {
                    states.put(queues.group(1), Integer.parseInt(queues.group(2)));
                }
                assertThat(names(GROUP, reply)).isEqualTo(names(QUEUES, reply)).isNotEmpty();
            }
            history.told("the route of " + topic, from, to, states);
        }

        private void askClusters(Peer peer) throws IOException {
            long from = System.nanoTime();
            Reply reply = peer.ask(Request.of(106));
            long to = System.nanoTime();
            if (reply.code() == BUSY) {
                refused.incrementAndGet();
                return;
            }
            assertThat(reply.code()).as(reply.remark()).isZero();
            Set<String> present = names(GROUP, reply);
            Map<String, Integer> states = new HashMap<>();
            for (int i = 0; i < amount.brokers(); i++) {
                states.put("h" + i, present.contains("h" + i) ? History.PRESENT : History.ABSENT);
            }
            history.told("the clusters", from, to, states);
        }
    }

    private static Set<String> names(Pattern pattern, Reply reply) {
        Matcher matcher = pattern.matcher(reply.body());
        Set<String> names = new HashSet<>();
        while (matcher.find()) {
            assertThat(names.add(matcher.group(1))).as("once in " + reply).isTrue();
        }
        return Collections.unmodifiableSet(names);
    }
}
