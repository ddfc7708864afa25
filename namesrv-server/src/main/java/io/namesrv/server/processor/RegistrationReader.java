package io.namesrv.server.processor;

import io.namesrv.core.data.Registration;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.json.JsonFormatException;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.ResponseCode;
import io.namesrv.server.processor.RegistrationBodies.Body;
import io.namesrv.server.processor.RequestHeaders.BrokerIdentity;
import io.namesrv.server.processor.RequestHeaders.RegisterBroker;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * Makes a {@link Registration} of a request 103, or refuses it whole: everything is checked here, before any table is
 * touched.
 */
final class RegistrationReader {
    /** Caller's version from which on the topic table comes in a wrapper: 3.0.11. */
    private static final int SINCE_WRAPPER = 37;

    private static final long TIMEOUT_MIN_MILLIS = 1_000;
    private static final long TIMEOUT_MAX_MILLIS = 600_000;

    private final NameRules rules;
    private final RegistrationBodies bodies;
    private final CompressedRegistration compressed;
    private final long defaultTimeoutMillis;

    /**
     * Makes a reader.
     *
     * @param defaultTimeoutMillis for brokers that announce no timeout of their own
     */
    RegistrationReader(
            NameRules rules, RegistrationBodies bodies, CompressedRegistration compressed, long defaultTimeoutMillis) {
        this.rules = rules;
        this.bodies = bodies;
        this.compressed = compressed;
        this.defaultTimeoutMillis = defaultTimeoutMillis;
    }

    /**
     * Reads a request.
     *
     * @param growth charged with what its body inflates to, and what is made of it
     * @throws NoRoomException if there is no room for that
     */
    Registration read(RegistrationRequest request, CountingAdmission.Growth growth) throws CommandException {
        RegisterBroker header = request.header();
        BrokerIdentity broker = header.broker();
        check("clusterName", rules.cluster(broker.clusterName()));
        check("brokerName", rules.broker(broker.brokerName()));
        check("brokerAddr", rules.address(broker.brokerAddr()));
        check("haServerAddr", rules.text(header.haServerAddr()));
        check("__ZONE_NAME", rules.text(header.zoneName()));
        if (broker.brokerId() < 0) {
            throw refused("brokerId is negative");
        }
        byte[] content = request.body();
        if (header.bodyCrc32() != 0 && header.bodyCrc32() != crc32(content)) {
            throw refused("crc32 not match");
        }
        Body body = body(header, content, request.callerVersion(), growth);
        return new Registration(
                broker.clusterName(),
                broker.brokerName(),
                broker.brokerId(),
                broker.brokerAddr(),
                header.haServerAddr(),
                header.actingMaster(),
                header.zoneName(),
                timeoutMillis(header),
                body.table(),
                body.filterServers());
    }

    private static void check(String field, Optional<String> broken) throws CommandException {
        if (broken.isPresent()) {
            throw refused("the custom field <" + field + "> " + broken.get());
        }
    }

    private static CommandException refused(String remark) {
        return new CommandException(ResponseCode.SYSTEM_ERROR, remark);
    }

    /** As brokers compute it: the sign bit is cleared, and of no body it is 0. */
    private static int crc32(byte[] content) {
        CRC32 crc = new CRC32();
        crc.update(content);
        return (int) (crc.getValue() & 0x7FFFFFFF);
    }

    private Body body(RegisterBroker header, byte[] content, int callerVersion, CountingAdmission.Growth growth)
            throws CommandException {
        try {
            if (content.length == 0) {
                return callerVersion < SINCE_WRAPPER ? Body.UNSTATED : Body.NONE;
            }
            if (CompressedRegistration.looksCompressed(content)) {
                return compressed.read(content, callerVersion, growth);
            }
            return callerVersion < SINCE_WRAPPER ? bodies.bare(content, growth) : bodies.wrapped(content, growth);
        } catch (JsonFormatException e) {
            String form = header.compressed() ? " (said to be compressed)" : "";
            throw refused("the body cannot be read" + form + ": " + e.getMessage());
        }
    }

    private long timeoutMillis(RegisterBroker header) {
        if (header.heartbeatTimeoutMillis().isEmpty()) {
            return defaultTimeoutMillis;
        }
        long asked = header.heartbeatTimeoutMillis().getAsLong();
        return Math.max(TIMEOUT_MIN_MILLIS, Math.min(TIMEOUT_MAX_MILLIS, asked));
    }
}
