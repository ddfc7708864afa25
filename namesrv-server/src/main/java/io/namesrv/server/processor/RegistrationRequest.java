package io.namesrv.server.processor;

import io.namesrv.core.data.RegistrationFingerprint;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.server.processor.RequestHeaders.BrokerIdentity;
import io.namesrv.server.processor.RequestHeaders.RegisterBroker;

/** A request 103 whose body has not been read. */
final class RegistrationRequest {
    /** All that the outcome of a registration depends on. */
    private record Content(RegisterBroker header, int callerVersion, BodyHash body) {}

    private final RegisterBroker header;
    private final int callerVersion;
    private final byte[] body;

    private RegistrationRequest(RegisterBroker header, int callerVersion, byte[] body) {
        this.header = header;
        this.callerVersion = callerVersion;
        this.body = body;
    }

    static RegistrationRequest from(RemotingCommand request) throws CommandException {
        return new RegistrationRequest(RegisterBroker.from(request.fields()), request.version(), request.bodyBytes());
    }

    /** Its fields, which are all there. */
    RegisterBroker header() {
        return header;
    }

    /** Release of the caller, on which depends how the body is read. */
    int callerVersion() {
        return callerVersion;
    }

    /** The body, which must not be changed. */
    byte[] body() {
        return body;
    }

    BrokerIdentity broker() {
        return header.broker();
    }

    /** What it is known again by: the header as it is, and a hash of the body. */
    RegistrationFingerprint fingerprint() {
        return new RegistrationFingerprint(
                broker().clusterName(),
                broker().brokerName(),
                broker().brokerAddr(),
                new Content(header, callerVersion, BodyHash.of(body)));
    }
}
