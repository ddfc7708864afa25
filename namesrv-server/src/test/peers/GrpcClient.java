import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.apis.ClientConfiguration;
import org.apache.rocketmq.client.apis.ClientServiceProvider;
import org.apache.rocketmq.client.apis.consumer.ConsumeResult;
import org.apache.rocketmq.client.apis.consumer.FilterExpression;
import org.apache.rocketmq.client.apis.consumer.FilterExpressionType;
import org.apache.rocketmq.client.apis.message.Message;
import org.apache.rocketmq.client.apis.producer.Producer;

/** A producer and a consumer that speak gRPC with a proxy: {@code GrpcClient PROXY TOPIC COUNT}. */
public final class GrpcClient {
    public static void main(String[] args) throws Exception {
        String topic = args[1];
        int count = Integer.parseInt(args[2]);
        ClientServiceProvider provider = ClientServiceProvider.loadService();
        ClientConfiguration proxy = ClientConfiguration.newBuilder()
                .setEndpoints(args[0])
                .enableSsl(false)
                .setRequestTimeout(Duration.ofSeconds(10))
                .build();
        Set<String> sent = ConcurrentHashMap.newKeySet();
        Set<String> received = ConcurrentHashMap.newKeySet();

        Producer producer = provider.newProducerBuilder()
                .setClientConfiguration(proxy)
                .setTopics(topic)
                .build();
        for (int i = 0; i < count; i++) {
            Message message = provider.newMessageBuilder()
                    .setTopic(topic)
                    .setBody(("message " + i).getBytes(StandardCharsets.UTF_8))
                    .build();
            sent.add(producer.send(message).getMessageId().toString());
        }
        System.out.println("sent " + sent.size() + " of " + count);

        provider.newPushConsumerBuilder()
                .setClientConfiguration(proxy)
                .setConsumerGroup("grpc_consumer")
                .setSubscriptionExpressions(Map.of(topic, new FilterExpression("*", FilterExpressionType.TAG)))
                .setMessageListener(message -> {
                    received.add(message.getMessageId().toString());
                    return ConsumeResult.SUCCESS;
                })
                .build();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!received.containsAll(sent) && System.nanoTime() < deadline) {
            Thread.sleep(20);
        }
        received.retainAll(sent);
        System.out.println("received " + received.size() + " of " + count);
        // What the clients leave running would hold up the end by seconds.
        Runtime.getRuntime().halt(received.size() == count ? 0 : 1);
    }
}
