package io.namesrv.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueue.Mark;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(ReplaceUnderscores.class)
class TopicQueueTableTest {
    private static final int BROKERS = 6;

    private final TopicQueueTable table = new TopicQueueTable();

    private static TopicQueue queue(int broker, int queues) {
        return new TopicQueue(new QueueData("broker-" + broker, queues, queues, 6, 0), Mark.NONE);
    }

    private void put(String topic, TopicQueue queue) {
        TopicRow row = table.getOrAdd(topic);
        table.put(row, row.find(queue.brokerName()), queue, 1);
    }

    private Set<Object> objects(boolean lists) {
        Set<Object> objects = Collections.newSetFromMap(new IdentityHashMap<>());
        table.rows().forEach(row -> {
            if (lists) {
                objects.add(row.queues());
            } else {
                objects.addAll(row.queues());
            }
        });
        return objects;
    }

    @Test
    void topics_that_brokers_give_the_same_queues_share_these_and_the_list_of_them() {
        for (int broker = BROKERS; broker > 0; broker--) {
            for (int topic = 0; topic < 500; topic++) {
                put("topic-" + topic, queue(broker, 8));
            }
        }

        assertThat(objects(false)).hasSize(BROKERS);
        assertThat(objects(true)).hasSize(1);
        assertThat(table.bytes())
                .isEqualTo(500 * (RowBytes.ofTopic("topic-100") + BROKERS * RowBytes.QUEUE)
                        - 2 * (10 * 2 + 90)
                        + BROKERS * RowBytes.DIFFERENT_QUEUE);
    }

    @Test
    void of_queues_that_no_topic_has_any_more_nothing_is_left() {
        put("orders", queue(1, 8));
        put("orders", queue(1, 4));
        put("orders", queue(2, 4));

        assertThat(table.bytes())
                .isEqualTo(RowBytes.ofTopic("orders") + 2 * (RowBytes.QUEUE + RowBytes.DIFFERENT_QUEUE));
        List<String> told = new ArrayList<>();
        table.removeAll(
                "broker-1",
                2,
                (row, gone) -> told.add(row.topic() + gone.declared().readQueueNums()));
        table.removeAll("broker-2", 3, (row, gone) -> told.add(row.topic() + gone.brokerName()));

        assertThat(told).containsExactly("orders4", "ordersbroker-2");
        assertThat(table.bytes()).isZero();
        assertThat(table.size()).isZero();
        assertThat(table.brokerNames()).isEmpty();
    }

    @Test
    void whatever_comes_and_goes_each_row_has_its_queues_in_order_of_broker_names() {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            TopicQueueTable mixed = new TopicQueueTable();
            TreeMap<String, TopicQueue> expected = new TreeMap<>();
            for (int step = 0; step < 2_000; step++) {
                String topic = "topic-" + random.nextInt(40);
                int broker = random.nextInt(BROKERS);
                TopicRow row = mixed.get(topic);
                TopicQueue held = row == null ? null : row.find("broker-" + broker);
                assertThat(held).isEqualTo(expected.get(topic + " broker-" + broker));
                if (random.nextInt(200) == 0) {
                    mixed.removeAll(
                            "broker-" + broker,
                            step,
                            (gone, queues) -> expected.remove(gone.topic() + " " + queues.brokerName()));
                    assertThat(mixed.topicCount("broker-" + broker)).isZero();
                } else if (row != null && held != null && random.nextInt(3) == 0) {
                    mixed.remove(row, held, step);
                    expected.remove(topic + " broker-" + broker);
                } else {
                    TopicQueue queue = queue(broker, random.nextInt(3));
                    mixed.put(mixed.getOrAdd(topic), held, queue, step);
                    expected.put(topic + " broker-" + broker, queue);
                }
                TopicRow now = mixed.get(topic);
                assertThat(now == null ? List.of() : now.queues())
                        .as("seed %s, step %s", seed, step)
                        .containsExactlyElementsOf(
                                expected.subMap(topic + " ", topic + "!").values());
            }
            List<TopicRow> rows = new ArrayList<>(mixed.rows());
            rows.forEach(row -> List.copyOf(row.queues()).forEach(queue -> mixed.remove(row, queue, 1)));
            assertThat(mixed.bytes()).isZero();
        }
    }

    @Test
    @Timeout(20)
    void numbers_of_one_hash_code_are_as_quick_as_others() {
        for (int number = 0; number < 100_000; number++) {
            QueueData queues = new QueueData("broker", number % 1_000, 0, 6, -31 * 31 * 31 * (number % 1_000));
            put("topic-" + number, new TopicQueue(queues, Mark.NONE));
            put("more-" + number, new TopicQueue(new QueueData("broker", number % 1_000, 0, 6, number), Mark.NONE));
        }

        assertThat(table.bytes()).isGreaterThan(100_000 * RowBytes.DIFFERENT_QUEUE);
    }
}
