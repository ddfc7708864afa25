package io.namesrv.server.processor;

import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.Lane;
import io.namesrv.remoting.ProcessorTable;
import io.namesrv.remoting.protocol.RequestCode;
import io.namesrv.server.config.LiveConfig;
import io.namesrv.server.config.NamesrvConfig;
import io.namesrv.server.route.RouteEffects;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;

/** The table of all request codes. */
public final class NamesrvProcessors {
    /** The longest a registration waits for room. */
    private static final Duration REGISTRATION_PATIENCE = Duration.ofSeconds(3);

    private NamesrvProcessors() {}

    /**
     * What the processors work with.
     *
     * @param orderTopics looks at what is put for order topics
     * @param boundPort the port the server listens on
     * @param admission what registrations inflate to is charged to
     * @param fileWriter runs what waits for the disk, one at a time
     * @param writeRefusal why key/value settings and settings are not changed here, if another daemon does that
     */
    public record Parts(
            RouteInfoManager routes,
            KVConfigManager kvConfig,
            OrderTopicCheck orderTopics,
            LiveConfig config,
            RouteEffects effects,
            RouteAnswers answers,
            RouteAnswerCache answerCache,
            RouteWaiters waiters,
            ServiceWait serviceWait,
            IntSupplier boundPort,
            CountingAdmission admission,
            Executor fileWriter,
            Optional<String> writeRefusal) {}

    /** The lanes, so that no kind of request starves another: signs of life, routes, and all the rest. */
    public record Lanes(Lane liveness, Lane routes, Lane bulk) {}

    /** Makes the processors and says who serves what. */
    public static ProcessorTable table(Parts parts, Lanes lanes) {
        NamesrvConfig config = parts.config().current();
        NameRules rules = new NameRules(config.stored().names());
        RegistrationBodies bodies = new RegistrationBodies(
                rules,
                config.limits().jsonMaxDepth(),
                config.limits().jsonMaxNumberLength(),
                config.stored().tables().topicsPerBroker());
        RegistrationReader reader = new RegistrationReader(
                rules,
                bodies,
                new CompressedRegistration(bodies, config.limits().bodyMaxDecompressed()),
                config.liveness().brokerExpiredTime().toMillis());

        var broker = new BrokerProcessor(parts.routes(), bodies, parts.effects());
        var registrations =
                new RegistrationProcessor(parts.routes(), parts.kvConfig(), parts.config(), reader, parts.effects());
        var registration = new PatientRegistration(
                registrations::registerBroker, parts.admission(), lanes.liveness()::execute, REGISTRATION_PATIENCE);
        var route = new RouteProcessor(parts.answers(), parts.waiters(), parts.answerCache(), parts.serviceWait());
        var topic = new TopicProcessor(parts.routes(), parts.config(), rules, bodies, parts.effects());
        var cluster = new ClusterProcessor(parts.routes());
        var writePerm = new WritePermProcessor(
                parts.routes(),
                parts.kvConfig(),
                parts.config(),
                rules,
                parts.effects(),
                Clock.systemUTC(),
                parts.writeRefusal());
        var kv = new KVConfigProcessor(
                parts.kvConfig(), parts.orderTopics(), config.limits().kvValueMax(), parts.writeRefusal());
        var settings =
                new NamesrvConfigProcessor(parts.config(), parts.boundPort(), parts.fileWriter(), parts.writeRefusal());

        return ProcessorTable.builder()
                .inOrderLater(RequestCode.REGISTER_BROKER, registration, lanes.liveness())
                .inOrder(RequestCode.UNREGISTER_BROKER, broker::unregisterBroker, lanes.liveness())
                .inOrder(RequestCode.REGISTER_TOPIC_IN_NAMESRV, topic::registerTopic, lanes.liveness())
                .inOrder(RequestCode.QUERY_DATA_VERSION, broker::queryDataVersion, lanes.liveness())
                .inOrder(RequestCode.BROKER_HEARTBEAT, broker::brokerHeartbeat, lanes.liveness())
                .atMostWaiting(
                        RequestCode.UNREGISTER_BROKER,
                        config.requests().unregisterQueueCapacity(),
                        "too many unregistrations wait (unRegisterBrokerQueueCapacity)")
                .onLater(RequestCode.GET_ROUTEINFO_BY_TOPIC, route::getRouteInfoByTopic, lanes.routes())
                .tryFirst(RequestCode.GET_ROUTEINFO_BY_TOPIC, route::atOnce)
                .on(RequestCode.GET_BROKER_MEMBER_GROUP, broker::getBrokerMemberGroup, lanes.routes())
                .on(RequestCode.GET_KV_CONFIG, kv::getKVConfig, lanes.routes())
                .on(RequestCode.GET_KVLIST_BY_NAMESPACE, kv::getKVListByNamespace, lanes.routes())
                .onLater(RequestCode.PUT_KV_CONFIG, kv::putKVConfig, lanes.bulk())
                .onLater(RequestCode.DELETE_KV_CONFIG, kv::deleteKVConfig, lanes.bulk())
                .on(RequestCode.GET_BROKER_CLUSTER_INFO, cluster::getBrokerClusterInfo, lanes.bulk())
                .onLater(RequestCode.WIPE_WRITE_PERM_OF_BROKER, writePerm::wipeWritePermOfBroker, lanes.bulk())
                .onLater(RequestCode.ADD_WRITE_PERM_OF_BROKER, writePerm::addWritePermOfBroker, lanes.bulk())
                .on(RequestCode.GET_ALL_TOPIC_LIST_FROM_NAMESERVER, topic::getAllTopicList, lanes.bulk())
                .on(RequestCode.DELETE_TOPIC_IN_NAMESRV, topic::deleteTopic, lanes.bulk())
                .on(RequestCode.GET_TOPICS_BY_CLUSTER, topic::getTopicsByCluster, lanes.bulk())
                .on(RequestCode.GET_SYSTEM_TOPIC_LIST_FROM_NS, topic::getSystemTopicList, lanes.bulk())
                .on(RequestCode.GET_UNIT_TOPIC_LIST, topic::getUnitTopicList, lanes.bulk())
                .on(RequestCode.GET_HAS_UNIT_SUB_TOPIC_LIST, topic::getHasUnitSubTopicList, lanes.bulk())
                .on(RequestCode.GET_HAS_UNIT_SUB_UNUNIT_TOPIC_LIST, topic::getHasUnitSubUnUnitTopicList, lanes.bulk())
                .onLater(RequestCode.UPDATE_NAMESRV_CONFIG, settings::updateNamesrvConfig, lanes.bulk())
                .on(RequestCode.GET_NAMESRV_CONFIG, settings::getNamesrvConfig, lanes.bulk())
                .build();
    }
}
