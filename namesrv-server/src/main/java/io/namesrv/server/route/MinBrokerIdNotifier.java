package io.namesrv.server.route;

import io.namesrv.core.data.MinBrokerIdChange;
import io.namesrv.remoting.netty.OnewaySender;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.RequestCode;
import io.namesrv.server.config.LiveConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells brokers that the smallest broker id of their group has changed (code 905), if {@code notifyMinBrokerIdChanged} is
 * set. Never waits: a broker that cannot be reached finds out from its own next query.
 */
public final class MinBrokerIdNotifier {
    private final OnewaySender sender;
    private final LiveConfig config;

    public MinBrokerIdNotifier(OnewaySender sender, LiveConfig config) {
        this.sender = sender;
        this.config = config;
    }

    void notifyMinBrokerIdChanged(List<MinBrokerIdChange> changes) {
        if (!config.current().routes().notifyMinBrokerIdChanged()) {
            return;
        }
        for (MinBrokerIdChange change : changes) {
            Map<String, String> fields = new LinkedHashMap<>();
            fields.put("brokerName", change.brokerName());
            fields.put("minBrokerId", Long.toString(change.minBrokerId()));
            fields.put("minBrokerAddr", change.minBrokerAddr());
            change.haServerAddr().filter(addr -> !addr.isEmpty()).ifPresent(addr -> fields.put("haBrokerAddr", addr));
            change.offlineBrokerAddr().ifPresent(addr -> fields.put("offlineBrokerAddr", addr));
            for (String recipient : change.recipients()) {
                sender.send(recipient, RemotingCommand.request(RequestCode.NOTIFY_MIN_BROKER_ID_CHANGE, fields));
            }
        }
    }
}
