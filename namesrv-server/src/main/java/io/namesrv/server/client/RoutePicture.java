package io.namesrv.server.client;

import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.core.data.TopicRouteData;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What all name servers say of one topic's route, merged.
 *
 * @param topic the topic
 * @param answers what each said, and how long it took
 * @param members who is shown under which id at which address
 * @param queues queues of broker groups; two facts of one group differ in a number or permission
 * @param mappings mappings of a static topic
 * @param orderTopicConfs order configurations, where there are any
 * @param withoutRoute the servers that know no route
 */
public record RoutePicture(
        String topic,
        Answers<RouteAnswer> answers,
        Claims<Member> members,
        Claims<QueueData> queues,
        Claims<TopicQueueMappingInfo> mappings,
        Claims<String> orderTopicConfs,
        Set<String> withoutRoute) {

    /** A broker process as a route shows it. */
    public record Member(String cluster, String brokerName, long brokerId, String addr) {}

    public RoutePicture {
        withoutRoute = Collections.unmodifiableSet(new LinkedHashSet<>(withoutRoute));
    }

    static RoutePicture of(String topic, Answers<RouteAnswer> answers) {
        Set<String> withoutRoute = new LinkedHashSet<>();
        for (Answer<RouteAnswer> answer : answers.given().values()) {
            if (!(answer.value() instanceof RouteAnswer.Found)) {
                withoutRoute.add(answer.server());
            }
        }
        return new RoutePicture(
                topic,
                answers,
                claims(answers, route -> members(route.data())),
                claims(answers, route -> route.data().queueDatas()),
                claims(
                        answers,
                        route -> route.data().topicQueueMappingByBroker().values()),
                claims(
                        answers,
                        route -> route.orderTopicConf().isEmpty() ? List.of() : List.of(route.orderTopicConf())),
                withoutRoute);
    }

    private static <F> Claims<F> claims(Answers<RouteAnswer> answers, Function<TopicRoute, Collection<F>> facts) {
        return Claims.of(
                answers, answer -> answer instanceof RouteAnswer.Found found ? facts.apply(found.route()) : List.of());
    }

    private static List<Member> members(TopicRouteData route) {
        List<Member> members = new ArrayList<>();
        for (BrokerData group : route.brokerDatas()) {
            group.brokerAddrs()
                    .forEach((id, addr) -> members.add(new Member(group.cluster(), group.brokerName(), id, addr)));
        }
        return members;
    }

    /** Whether all servers that answered say the same. Those that did not answer are in the answers. */
    public boolean agreed() {
        Set<String> all = answers.given().keySet();
        return members.disputedAmong(all).claimants().isEmpty()
                && queues.disputedAmong(all).claimants().isEmpty()
                && mappings.disputedAmong(all).claimants().isEmpty()
                && orderTopicConfs.disputedAmong(all).claimants().isEmpty();
    }

    /**
     * All brokers and queues that at least one server knows; where they contradict each other, what most of them say, and
     * of several such what the first of the list says. Empty if no server has a route.
     */
    public Optional<TopicRoute> union() {
        SortedMap<String, BrokerData> groups = new TreeMap<>();
        SortedMap<String, QueueData> queueDatas = new TreeMap<>();
        SortedMap<String, TopicQueueMappingInfo> mappingByBroker = new TreeMap<>();
        Map<String, List<String>> filterServers = new LinkedHashMap<>();
        for (Answer<RouteAnswer> answer : answers.given().values()) {
            if (answer.value() instanceof RouteAnswer.Found found) {
                TopicRouteData data = found.route().data();
                data.brokerDatas().forEach(group -> groups.merge(group.brokerName(), group, RoutePicture::joined));
                data.queueDatas().forEach(queue -> queueDatas.putIfAbsent(queue.brokerName(), mostClaimed(queue)));
                data.topicQueueMappingByBroker()
                        .forEach((name, mapping) -> mappingByBroker.putIfAbsent(name, mostClaimed(mapping)));
                data.filterServerTable().forEach(filterServers::putIfAbsent);
            }
        }
        if (withoutRoute.containsAll(answers.given().keySet())) {
            return Optional.empty();
        }
        groups.replaceAll((name, group) -> group.withAddrs(mostClaimedAddrs(group)));
        TopicRouteData data = new TopicRouteData(
                List.copyOf(queueDatas.values()),
                List.copyOf(groups.values()),
                Collections.unmodifiableMap(filterServers),
                Collections.unmodifiableSortedMap(mappingByBroker));
        return Optional.of(
                new TopicRoute(data, orderTopicConfs.mostClaimed(any -> true).orElse("")));
    }

    private static BrokerData joined(BrokerData one, BrokerData other) {
        SortedMap<Long, String> both = new TreeMap<>(other.brokerAddrs());
        both.putAll(one.brokerAddrs());
        return one.withAddrs(both);
    }

    private SortedMap<Long, String> mostClaimedAddrs(BrokerData group) {
        SortedMap<Long, String> addrs = new TreeMap<>(group.brokerAddrs());
        addrs.replaceAll((id, addr) -> members.mostClaimed(
                        member -> member.brokerId() == id && member.brokerName().equals(group.brokerName()))
                .map(Member::addr)
                .orElse(addr));
        return addrs;
    }

    private QueueData mostClaimed(QueueData queue) {
        return queues.mostClaimed(other -> other.brokerName().equals(queue.brokerName()))
                .orElse(queue);
    }

    private TopicQueueMappingInfo mostClaimed(TopicQueueMappingInfo mapping) {
        return mappings.mostClaimed(other -> other.bname().equals(mapping.bname()))
                .orElse(mapping);
    }
}
