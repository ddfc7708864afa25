package io.namesrv.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueue.Mark;
import io.namesrv.remoting.json.JsonCursor;
import io.namesrv.remoting.json.JsonFormatException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class KnownQueuesTest {
    private static final List<String> NAMES = List.of("b1", "b2", "b}", "}", "b{\"x\":1}", "\u4e2d", "b\\");

    private final KnownQueues known = new KnownQueues();

    @Test
    void what_was_read_before_gives_the_same_row_as_what_is_read_for_the_first_time() {
        Random random = new Random(20_261_130);
        for (int round = 0; round < 20_000; round++) {
            TopicQueue queue = queue(random);
            String json = json(queue, random);

            assertThat(read(known, json)).isEqualTo(queue);
            assertThat(read(known, json)).isEqualTo(queue);
        }
    }

    @Test
    void equal_rows_are_one_object_however_they_are_written() {
        TopicQueue one = read(known, "{\"brokerName\":\"b1\",\"read\":4}");

        assertThat(read(known, "{\"brokerName\":\"b1\",\"read\":4}")).isSameAs(one);
        assertThat(read(known, "{\"read\":4, \"brokerName\":\"b1\"}")).isSameAs(one);
    }

    @Test
    void a_row_that_is_cut_off_or_broken_is_refused_also_after_a_good_one_like_it() {
        String good = "{\"brokerName\":\"b1\",\"read\":4}";
        read(known, good);

        for (String bad : List.of(good.substring(0, good.length() - 1), good.replace(":4", ":x"), good + good, "")) {
            assertThatExceptionOfType(JsonFormatException.class).isThrownBy(() -> read(known, bad));
        }
    }

    private static TopicQueue read(KnownQueues known, String json) {
        byte[] text = ("  " + json + " ").getBytes(StandardCharsets.UTF_8);
        JsonCursor cursor = JsonCursor.sharing(known.texts, text, 0, text.length, SnapshotRow.MAX_DEPTH);
        TopicQueue queue = known.queue(cursor);
        cursor.end();
        return queue;
    }

    private static TopicQueue queue(Random random) {
        Mark mark = random.nextInt(4) == 0 ? Mark.WIPED : Mark.NONE;
        return new TopicQueue(
                new QueueData(NAMES.get(random.nextInt(NAMES.size())), random.nextInt(3), random.nextInt(3), 6, 0),
                mark,
                true);
    }

    private static String json(TopicQueue queue, Random random) {
        QueueData declared = queue.declared();
        List<String> members = new ArrayList<>(List.of(
                "\"brokerName\":\""
                        + declared.brokerName().replace("\\", "\\\\").replace("\"", "\\\"")
                        + "\"",
                "\"read\":" + declared.readQueueNums(),
                "\"write\":\"" + declared.writeQueueNums() + "\"",
                "\"perm\":" + queue.perm(),
                "\"declaredPerm\":6",
                "\"wiped\":" + (queue.mark() == Mark.WIPED)));
        if (random.nextInt(3) == 0) {
            members.add("\"later\":{\"x\":[1,{}]}");
        }
        if (random.nextInt(3) == 0) {
            members.add("\"sysFlag\":null");
        }
        if (random.nextBoolean()) {
            Collections.shuffle(members, random);
        }
        return members.stream().collect(Collectors.joining(random.nextBoolean() ? "," : " , ", "{", "}"));
    }
}
