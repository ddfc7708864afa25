package io.namesrv.server.processor;

import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.Registration.TopicTable;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.json.JsonFormatException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects the topics of one registration. A topic that breaks a rule is passed over, so that it does not take its
 * broker offline. What it collects is charged, since it may take many times what it took in the body.
 */
final class TopicTableBuilder {
    private static final int TOPIC_BYTES = 128;
    private static final int MAPPING_BYTES = 256;

    /** A queue of a mapping, which is copied once. */
    private static final int MAPPED_QUEUE_BYTES = 160;

    /** Charged at a time. */
    private static final int STEP = 16 << 10;

    private final NameRules rules;
    private final int topicsMax;
    private final CountingAdmission.Growth growth;
    private int uncharged;
    private final List<TopicConfig> topics = new ArrayList<>();
    private final Set<String> skipped = new HashSet<>();
    private final List<TopicQueueMappingInfo> mappings = new ArrayList<>();
    private DataVersion dataVersion = DataVersion.NONE;
    private int size;

    TopicTableBuilder(NameRules rules, int topicsMax, CountingAdmission.Growth growth) {
        this.rules = rules;
        this.topicsMax = topicsMax;
        this.growth = growth;
    }

    /** Counts a queue of a mapping that is being read. */
    void countMappedQueue() {
        charge(MAPPED_QUEUE_BYTES);
    }

    private void charge(int bytes) {
        uncharged += bytes;
        if (uncharged >= STEP) {
            NoRoomException.orTake(growth, uncharged);
            uncharged = 0;
        }
    }

    void dataVersion(DataVersion version) {
        dataVersion = version;
    }

    void add(TopicConfig topic) {
        count();
        boolean good = rules.topic(topic.topicName()).isEmpty()
                && rules.queues(topic.readQueueNums(), topic.writeQueueNums(), topic.perm(), topic.topicSysFlag())
                        .isEmpty();
        if (good) {
            topics.add(topic);
        } else if (!rules.isLongerThanTopics(topic.topicName())) {
            skipped.add(topic.topicName());
        } else {
            return;
        }
        charge(TOPIC_BYTES + 2 * topic.topicName().length());
    }

    /** Counts an entry that is no topic. */
    void skip() {
        count();
    }

    void add(TopicQueueMappingInfo mapping) {
        if (mappings.size() >= topicsMax) {
            throw tooMany();
        }
        if (rules.mapping(mapping).isEmpty()) {
            mappings.add(mapping);
            charge(MAPPING_BYTES);
        }
    }

    private void count() {
        if (++size > topicsMax) {
            throw tooMany();
        }
    }

    private JsonFormatException tooMany() {
        return new JsonFormatException("more than " + topicsMax + " topics (topicsPerBrokerMax)");
    }

    TopicTable build() {
        return new TopicTable(dataVersion, size, topics, skipped, mappings);
    }
}
