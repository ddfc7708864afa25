package io.namesrv.core.route;

import io.namesrv.core.data.Registration;
import io.namesrv.core.data.RegistrationNotice;
import io.namesrv.core.data.RegistrationNotice.Kind;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueue.Mark;
import io.namesrv.core.data.TopicQueueMappingInfo;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a registration writes to the topic tables: the second half of {@link BrokerRegistration}. */
final class RegisteredTopics {
    private final RouteTables tables;
    private final RouteStep step;
    private final Registration registration;
    private final OfferedTopics offered;
    private final List<RegistrationNotice> notices;
    private final String brokerName;

    private final BrokerTopics.Finder finder;

    /** Topics that the broker has here, once it has any. */
    private @Nullable BrokerTopics known;

    private @Nullable TopicQueue latest;

    RegisteredTopics(RouteTables tables, RouteStep step, OfferedTopics offered, List<RegistrationNotice> notices) {
        this.tables = tables;
        this.step = step;
        this.registration = offered.registration();
        this.offered = offered;
        this.notices = notices;
        this.brokerName = registration.brokerName();
        this.finder = new BrokerTopics.Finder(brokerName);
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
        offered.forEachDifferent(tables, place -> write(offered.topic(place), offered.hash(place), changed));
        for (TopicQueueMappingInfo mapping : registration.table().mappings()) {
            if (changed || tables.mapping(mapping.topic(), brokerName).isEmpty()) {
                writeMapping(mapping);
            }
        }
    }

    private void write(TopicConfig topic, int hash, boolean changed) {
        if (known == null) {
            known = tables.topicQueueTable.of(brokerName);
        }
        TopicRow row = known == null ? null : known.rows().get(topic.topicName(), hash);
        TopicQueue held = row == null ? null : finder.in(row);
        if (row == null || held == null) {
            step.addQueue(topic.topicName(), hash, declared(topic));
        } else if (changed && !OfferedTopics.says(held, topic)) {
            step.putQueue(row, held, declared(topic));
        } else if (held.restored()) {
            // What was remembered keeps an operator's mark, as it would have if there had been no restart.
            step.putQueue(row, held, new TopicQueue(held.declared(), held.mark()));
        }
    }

    /** Most topics of a broker have the same numbers as the one before. */
    private TopicQueue declared(TopicConfig topic) {
        TopicQueue last = latest;
        if (last == null || !topic.isDeclaredBy(last.declared())) {
            last = new TopicQueue(topic.queuesOn(brokerName), Mark.NONE);
            latest = last;
        }
        return last;
    }

    private void removeMissing() {
        Set<String> carried = new HashSet<>(registration.table().skipped());
        registration.table().topics().forEach(topic -> carried.add(topic.topicName()));
        for (TopicRow row : tables.topicQueueTable.rowsOf(brokerName)) {
            if (!carried.contains(row.topic())) {
                step.removeQueue(row.topic(), brokerName);
                step.removeMapping(row.topic(), brokerName);
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
