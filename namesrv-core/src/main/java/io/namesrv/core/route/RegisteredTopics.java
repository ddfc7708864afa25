package io.namesrv.core.route;

import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.Registration;
import io.namesrv.core.data.RegistrationNotice;
import io.namesrv.core.data.RegistrationNotice.Kind;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueue.Mark;
import io.namesrv.core.data.TopicQueueMappingInfo;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a registration writes to the topic tables: the second half of {@link BrokerRegistration}. */
final class RegisteredTopics {
    private final RouteTables tables;
    private final RouteStep step;
    private final Registration registration;
    private final List<RegistrationNotice> notices;
    private final String brokerName;

    /** More different rows than a broker of good will has are not looked up: their hashes may all be one. */
    private static final int SHARED_MAX = 64;

    /** Equal rows of one registration are one object: most topics of a broker have the same numbers. */
    private final Map<QueueData, TopicQueue> shared = new HashMap<>();

    RegisteredTopics(RouteTables tables, RouteStep step, Registration registration, List<RegistrationNotice> notices) {
        this.tables = tables;
        this.step = step;
        this.registration = registration;
        this.notices = notices;
        this.brokerName = registration.brokerName();
    }

    /**
     * Writes the topics.
     *
     * @param changed whether rows that exist are written too, which takes an operator's mark off; if not, a wiped
     *     permission outlives the registration, and only topics and mappings that this broker lacks here are added
     * @param deleteMissing whether topics that the registration does not carry are removed; not done where it carries
     *     static topics
     */
    void write(boolean changed, boolean deleteMissing) {
        if (deleteMissing && registration.table().mappings().isEmpty()) {
            removeMissing();
        }
        for (TopicConfig topic : registration.table().topics()) {
            TopicRow row = tables.topicQueueTable.get(topic.topicName());
            TopicQueue held = row == null ? null : row.find(brokerName);
            if (held == null || (changed && !says(held, topic))) {
                step.putQueue(topic.topicName(), row(topic.queuesOn(brokerName)));
            } else if (held.restored()) {
                step.putQueue(topic.topicName(), confirmed(held));
            }
        }
        for (TopicQueueMappingInfo mapping : registration.table().mappings()) {
            if (changed || tables.mapping(mapping.topic(), brokerName).isEmpty()) {
                writeMapping(mapping);
            }
        }
    }

    /** Whether the row would be the same again: as it is for most topics of most registrations. */
    private static boolean says(TopicQueue held, TopicConfig topic) {
        return held.mark() == Mark.NONE && topic.isDeclaredBy(held.declared());
    }

    private TopicQueue row(QueueData declared) {
        if (shared.size() >= SHARED_MAX) {
            return new TopicQueue(declared, Mark.NONE);
        }
        return shared.computeIfAbsent(declared, queues -> new TopicQueue(queues, Mark.NONE));
    }

    /** What was remembered keeps an operator's mark, as it would have if there had been no restart. */
    private TopicQueue confirmed(TopicQueue held) {
        return held.mark() == Mark.NONE ? row(held.declared()) : new TopicQueue(held.declared(), held.mark());
    }

    private void removeMissing() {
        Set<String> carried = new HashSet<>(registration.table().skipped());
        registration.table().topics().forEach(topic -> carried.add(topic.topicName()));
        for (String topic : tables.topicsOf(brokerName)) {
            if (!carried.contains(topic)) {
                step.removeQueue(topic, brokerName);
                step.removeMapping(topic, brokerName);
            }
        }
    }

    private void writeMapping(TopicQueueMappingInfo offered) {
        if (!offered.bname().equals(brokerName)) {
            notices.add(
                    new RegistrationNotice(Kind.MAPPING_OF_OTHER_BROKER, offered.topic(), offered.bname(), brokerName));
            return;
        }
        Optional<TopicQueueMappingInfo> held = tables.mapping(offered.topic(), brokerName);
        if (held.isPresent() && offered.epoch() < held.get().epoch()) {
            notices.add(new RegistrationNotice(
                    Kind.MAPPING_OUTDATED,
                    offered.topic(),
                    Long.toString(held.get().epoch()),
                    Long.toString(offered.epoch())));
            return;
        }
        step.putMapping(offered);
    }
}
