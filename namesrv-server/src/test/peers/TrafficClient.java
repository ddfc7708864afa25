import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;

/**
 * A producer that sends without end and a consumer that receives, until a file appears:
 * {@code TrafficClient NAMESRV TOPIC GROUP STOP_FILE}. Four times a second it prints how far it is; once told to stop it
 * waits for what was acknowledged and has not arrived yet, and says what was lost. Compiles against every generation
 * of Apache's client.
 */
public final class TrafficClient {
    private static final long PAUSE_MILLIS = 20;
    private static final long PROGRESS_MILLIS = 250;
    private static final int START_ATTEMPTS = 10;
    private static final long DRAIN_SECONDS = 45;

    private final Set<String> acked = ConcurrentHashMap.newKeySet();
    private final Set<String> received = ConcurrentHashMap.newKeySet();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong again = new AtomicLong();
    private volatile String lastFailure = "none";
    private volatile long longestGapMillis;

    public static void main(String[] args) throws Exception {
        new TrafficClient().run(args[0], args[1], args[2], Path.of(args[3]));
    }

    private void run(String namesrv, String topic, String group, Path stopFile) throws Exception {
        startConsumer(namesrv, topic, group, "consumer");

        DefaultMQProducer producer = new DefaultMQProducer(group + "_producer");
        producer.setNamesrvAddr(namesrv);
        producer.setPollNameServerInterval(1_000);
        producer.setHeartbeatBrokerInterval(3_000);
        producer.setSendMsgTimeout(2_000);
        producer.setRetryTimesWhenSendFailed(3);
        producer.start();

        Thread sender = new Thread(() -> send(producer, topic, group, stopFile), "sender");
        sender.start();
        while (sender.isAlive()) {
            sender.join(PROGRESS_MILLIS);
            System.out.println("progress acked=" + acked.size() + " received=" + received.size() + " lastFailure="
                    + lastFailure);
        }
        // A consumer may hang on a broker that was away. What a new one can read has not been lost.
        boolean late = !drained();
        if (late) {
            startConsumer(namesrv, topic, group, "second_consumer");
            drained();
        }
        Set<String> lost = new TreeSet<>(acked);
        lost.removeAll(received);
        System.out.println("result sent=" + sent.get() + " acked=" + acked.size() + " received=" + received.size()
                + " again=" + again.get() + " lost=" + lost.size() + " longestGapMillis=" + longestGapMillis
                + " late=" + late);
        System.out.println("lost: " + lost);
        // What the clients leave running would hold up the end by seconds.
        Runtime.getRuntime().halt(0);
    }

    /**
     * Starts a consumer of what our own producer sends. That asks one name server, and fails where it happens to be one
     * that is away; whoever supervises it starts it again.
     */
    private void startConsumer(String namesrv, String topic, String group, String name) throws Exception {
        for (int attempt = 1; ; attempt++) {
            DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(group + "_" + name);
            consumer.setNamesrvAddr(namesrv);
            consumer.setPollNameServerInterval(1_000);
            consumer.setHeartbeatBrokerInterval(3_000);
            consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
            consumer.subscribe(topic, "*");
            consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
                messages.forEach(message -> note(group, new String(message.getBody(), StandardCharsets.UTF_8)));
                return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
            });
            try {
                consumer.start();
                return;
            } catch (Exception e) {
                if (attempt == START_ATTEMPTS) {
                    throw e;
                }
                consumer.shutdown();
                Thread.sleep(500);
            }
        }
    }

    private void note(String group, String body) {
        if (body.startsWith(group + " ") && !received.add(body)) {
            again.incrementAndGet();
        }
    }

    /** Waits until all that was acknowledged has been received. */
    private boolean drained() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DRAIN_SECONDS);
        while (!received.containsAll(acked)) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(20);
        }
        return true;
    }

    private void send(DefaultMQProducer producer, String topic, String group, Path stopFile) {
        long last = 0;
        for (long i = 0; !Files.exists(stopFile); i++) {
            String body = group + " " + i;
            sent.incrementAndGet();
            try {
                Thread.sleep(PAUSE_MILLIS);
                Message message = new Message(topic, body.getBytes(StandardCharsets.UTF_8));
                if (producer.send(message).getSendStatus() == SendStatus.SEND_OK) {
                    long now = System.nanoTime();
                    acked.add(body);
                    if (last != 0) {
                        longestGapMillis = Math.max(longestGapMillis, TimeUnit.NANOSECONDS.toMillis(now - last));
                    }
                    last = now;
                }
            } catch (InterruptedException e) {
                return;
            } catch (Exception e) {
                lastFailure = e.toString().lines().findFirst().orElse("?");
            }
        }
    }
}
