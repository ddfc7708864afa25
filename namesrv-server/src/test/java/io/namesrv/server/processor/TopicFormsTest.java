package io.namesrv.server.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.TopicConfig;
import io.namesrv.remoting.json.JsonCursor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class TopicFormsTest {
    private static final TopicConfig T1 = new TopicConfig("t1", 4, 8, 6, 1);

    private final TopicForms forms = new TopicForms();

    private void learn(String json, TopicConfig topic) {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        forms.learn(text, 0, text.length, topic);
    }

    /** What is read, and that the cursor stands behind it then; null if nothing is. */
    private @Nullable TopicConfig read(String json) {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        JsonCursor cursor = new JsonCursor(text, 8);
        TopicConfig topic = forms.read(cursor);
        assertThat(cursor.position()).isEqualTo(topic == null ? 0 : text.length);
        return topic;
    }

    @Test
    void another_topic_of_the_same_form_is_read_by_its_name_alone() {
        learn("{\"perm\":6,\"topicName\" : \"t1\",\"more\":[1]}", T1);

        assertThat(read("{\"perm\":6,\"topicName\" : \"another\",\"more\":[1]}"))
                .isEqualTo(T1.named("another"));
        assertThat(read("{\"perm\":6,\"topicName\" : \"\",\"more\":[1]}")).isEqualTo(T1.named(""));
        assertThat(read("{\"perm\":7,\"topicName\" : \"another\",\"more\":[1]}"))
                .isNull();
        assertThat(read("{\"perm\":6,\"topicName\":\"another\",\"more\":[1]}")).isNull();
        assertThat(read("{\"perm\":6,\"topicName\" : \"an\\u0041\",\"more\":[1]}"))
                .isNull();
        assertThat(read("{\"perm\":6,\"topicName\" : \"\u4e2d\",\"more\":[1]}")).isNull();
        assertThat(read("{\"perm\":6,\"topicName\" : \"another\",\"more\":[1]")).isNull();
        assertThat(read("{\"perm\":6,\"topicName\" : \"anoth")).isNull();
    }

    @Test
    void a_form_in_which_the_name_is_not_plainly_at_one_place_is_not_learnt() {
        learn("{\"topicName\":\"t1\",\"other\":\"t1\"}", T1);
        assertThat(read("{\"topicName\":\"t2\",\"other\":\"t1\"}")).isNull();
        learn("{\"topicName\":\"x\",\"topicName\":\"t1\"}", T1);
        assertThat(read("{\"topicName\":\"x\",\"topicName\":\"t2\"}")).isNull();
        learn("{\"a\":{\"topicName\":\"t1\"},\"topicNam\\u0065\":\"t1\"}", T1);
        assertThat(read("{\"a\":{\"topicName\":\"t2\"},\"topicNam\\u0065\":\"t1\"}"))
                .isNull();
        learn("{\"topicName\":[\"t1\"]}", T1);
        assertThat(read("{\"topicName\":[\"t2\"]}")).isNull();
    }

    /** Bodies of random forms, read with forms and one topic at a time, without any. */
    @Test
    void what_is_read_is_what_would_be_read_without_forms() {
        Random random = new Random(20_261_130);
        int known = 0;
        for (int round = 0; round < 30_000; round++) {
            String json = topic(random);
            TopicConfig expected = RegistrationBodies.topic(new JsonCursor(json.getBytes(StandardCharsets.UTF_8), 8));
            TopicConfig found = read(json);
            if (found == null) {
                learn(json, expected);
            } else {
                known++;
                assertThat(found).as(json).isEqualTo(expected);
            }
        }
        assertThat(known).isGreaterThan(1_000);
    }

    private static String topic(Random random) {
        String name = List.of("t1", "t2", "a-longer-name", "6", "perm", "topicName", "x\\n", "")
                .get(random.nextInt(8));
        List<String> members = new ArrayList<>(List.of(
                "\"topicName\":\"" + name + "\"",
                "\"perm\":" + (6 + random.nextInt(2)),
                "\"readQueueNums\":" + (random.nextBoolean() ? "4" : "\"4\"")));
        if (random.nextInt(4) == 0) {
            members.add("\"order\":{\"topicName\":\"" + name + "\"}");
        }
        if (random.nextInt(4) == 0) {
            members.add("\"topicName\":" + List.of("null", "\"t2\"", "7").get(random.nextInt(3)));
        }
        if (random.nextInt(3) == 0) {
            Collections.shuffle(members, random);
        }
        return "{" + String.join(random.nextInt(5) == 0 ? " , " : ",", members) + "}";
    }
}
