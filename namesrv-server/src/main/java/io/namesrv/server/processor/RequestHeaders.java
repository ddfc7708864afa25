package io.namesrv.server.processor;

import io.namesrv.core.data.ActingMaster;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.ExtFields;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** The header fields of the requests, one record each. A required field that is missing is refused when it is read. */
final class RequestHeaders {
    private RequestHeaders() {}

    /** Which broker a request speaks of: 103, 104, 322. */
    record BrokerIdentity(String clusterName, String brokerName, long brokerId, String brokerAddr) {
        static BrokerIdentity from(ExtFields fields) throws CommandException {
            return new BrokerIdentity(
                    fields.required("clusterName"),
                    fields.required("brokerName"),
                    fields.requiredLong("brokerId"),
                    fields.required("brokerAddr"));
        }
    }

    /**
     * 103.
     *
     * @param haServerAddr empty if none was said
     * @param heartbeatTimeoutMillis said by 5.x brokers that act as masters for each other
     * @param bodyCrc32 0 for not to be checked
     * @param zoneName empty if none was said
     */
    record RegisterBroker(
            BrokerIdentity broker,
            String haServerAddr,
            OptionalLong heartbeatTimeoutMillis,
            ActingMaster actingMaster,
            boolean compressed,
            int bodyCrc32,
            String zoneName) {
        static RegisterBroker from(ExtFields fields) throws CommandException {
            return new RegisterBroker(
                    BrokerIdentity.from(fields),
                    fields.optional("haServerAddr").orElse(""),
                    fields.has("heartbeatTimeoutMillis")
                            ? OptionalLong.of(fields.requiredLong("heartbeatTimeoutMillis"))
                            : OptionalLong.empty(),
                    actingMaster(fields),
                    fields.bool("compressed"),
                    fields.intOr("bodyCrc32", 0),
                    fields.optional("__ZONE_NAME").orElse(""));
        }

        private static ActingMaster actingMaster(ExtFields fields) {
            if (!fields.has("enableActingMaster")) {
                return ActingMaster.UNSAID;
            }
            return fields.bool("enableActingMaster") ? ActingMaster.ENABLED : ActingMaster.DISABLED;
        }
    }

    /** 904; its other fields are for a controller. */
    record BrokerHeartbeat(String clusterName, String brokerName, String brokerAddr) {
        static BrokerHeartbeat from(ExtFields fields) throws CommandException {
            return new BrokerHeartbeat(
                    fields.required("clusterName"), fields.required("brokerName"), fields.required("brokerAddr"));
        }
    }

    /** 901. */
    record BrokerMemberGroup(String clusterName, String brokerName) {
        static BrokerMemberGroup from(ExtFields fields) throws CommandException {
            return new BrokerMemberGroup(fields.required("clusterName"), fields.required("brokerName"));
        }
    }

    /**
     * 105.
     *
     * @param zoneName the zone whose brokers are wanted, if only those are
     */
    record GetRouteInfo(String topic, boolean acceptStandardJsonOnly, Optional<String> zoneName) {
        static GetRouteInfo from(ExtFields fields) throws CommandException {
            return new GetRouteInfo(
                    fields.required("topic"),
                    fields.bool("acceptStandardJsonOnly"),
                    fields.bool("__ZONE_MODE")
                            ? fields.optional("__ZONE_NAME").filter(zone -> !zone.isBlank())
                            : Optional.empty());
        }
    }

    /**
     * How long an answer to 105 may be held back.
     *
     * @param time zero for not at all
     */
    record RouteWait(Duration time) {
        private static final long MILLIS_MAX = 30_000;

        static RouteWait from(ExtFields fields) throws CommandException {
            long millis = fields.longOr("routeWaitMillis", 0);
            return new RouteWait(Duration.ofMillis(Math.max(0, Math.min(millis, MILLIS_MAX))));
        }
    }

    /** 216; without a cluster, or with an empty one, all are meant. */
    record DeleteTopic(String topic, Optional<String> clusterName) {
        static DeleteTopic from(ExtFields fields) throws CommandException {
            return new DeleteTopic(
                    fields.required("topic"), fields.optional("clusterName").filter(name -> !name.isEmpty()));
        }
    }

    /** 101 and 102. */
    record KVKey(String namespace, String key) {
        static KVKey from(ExtFields fields) throws CommandException {
            return new KVKey(fields.required("namespace"), fields.required("key"));
        }
    }
}
