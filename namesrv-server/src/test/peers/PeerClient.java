import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;

/**
 * A producer and a consumer that know the address of a name server and the name of a topic, and nothing else:
 * {@code PeerClient NAMESRV TOPIC COUNT}. Compiles against every generation of Apache's client.
 */
public final class PeerClient {
    private static final int ATTEMPTS = 20;

    /** Far more than it takes: a client that starts beside others on a busy machine gives up too early by default. */
    private static final int API_TIMEOUT_MILLIS = 20_000;

    public static void main(String[] args) throws Exception {
        String namesrv = args[0];
        String topic = args[1];
        int count = Integer.parseInt(args[2]);
        long run = System.nanoTime();
        Set<String> sent = new TreeSet<>();
        Set<String> brokers = new TreeSet<>();
        Set<String> received = ConcurrentHashMap.newKeySet();

        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("interop_consumer");
        consumer.setNamesrvAddr(namesrv);
        consumer.setMqClientApiTimeout(API_TIMEOUT_MILLIS);
        consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        consumer.subscribe(topic, "*");
        consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
            messages.forEach(message -> received.add(new String(message.getBody(), StandardCharsets.UTF_8)));
            return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
        consumer.start();

        DefaultMQProducer producer = new DefaultMQProducer("interop_producer");
        producer.setNamesrvAddr(namesrv);
        producer.setMqClientApiTimeout(API_TIMEOUT_MILLIS);
        producer.setSendMsgTimeout(5000);
        producer.start();
        for (int i = 0; i < count; i++) {
            String body = "message " + i + " of " + run;
            if (send(producer, new Message(topic, body.getBytes(StandardCharsets.UTF_8)), brokers)) {
                sent.add(body);
            }
        }
        System.out.println("sent " + sent.size() + " of " + count + " to " + brokers);

        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!received.containsAll(sent) && System.nanoTime() < deadline) {
            Thread.sleep(20);
        }
        received.retainAll(sent);
        System.out.println("received " + received.size() + " of " + count);
        consumer.shutdown(); // which keeps its offsets
        // What the clients leave running would hold up the end by seconds.
        Runtime.getRuntime().halt(sent.size() == count && received.equals(sent) ? 0 : 1);
    }

    /** A topic that has just been created may need a moment to be known everywhere. */
    private static boolean send(DefaultMQProducer producer, Message message, Set<String> brokers)
            throws InterruptedException {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            try {
                SendResult result = producer.send(message);
                if (result.getSendStatus() == SendStatus.SEND_OK) {
                    brokers.add(result.getMessageQueue().getBrokerName());
                    return true;
                }
                System.out.println(result);
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                System.out.println(e);
            }
            Thread.sleep(500);
        }
        return false;
    }
}
