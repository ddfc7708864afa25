package io.namesrv.server.route;

import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.DepartureReport;
import io.namesrv.core.data.PermReport;
import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.data.RegistrationNotice;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.RouteChange.Edit;
import io.namesrv.core.data.RouteChange.MemberEdit;
import io.namesrv.core.data.RouteChange.QueueEdit;
import io.namesrv.remoting.protocol.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what follows from a step of the route tables, after their lock: a line in the log for each broker that came or
 * went, one for topics, and the notices of code 905. Called on the thread that made the step.
 */
public final class RouteEffects {
    private static final Logger log = LoggerFactory.getLogger(RouteEffects.class);

    private final MinBrokerIdNotifier notifier;

    public RouteEffects(MinBrokerIdNotifier notifier) {
        this.notifier = notifier;
    }

    /** After a registration that was carried out. */
    public void registered(Registered result, String peer) {
        changed(result.change(), peer);
        for (RegistrationNotice notice : result.notices()) {
            log.warn(
                    "registration conflict kind={} subject={} before={} after={} from={}",
                    notice.kind(),
                    PeerText.inLog(notice.subject()),
                    PeerText.inLog(notice.before()),
                    PeerText.inLog(notice.after()),
                    peer);
        }
        notifier.notifyMinBrokerIdChanged(result.minBrokerIdChanges());
    }

    /** After brokers left at their own request or with their connection. */
    public void departed(DepartureReport report, String peer) {
        changed(report.change(), peer);
        notifier.notifyMinBrokerIdChanged(report.minBrokerIdChanges());
    }

    /** After a scan removed brokers that had fallen silent. */
    public void expired(DepartureReport report, long now) {
        for (BrokerLiveInfo broker : report.brokers()) {
            log.warn(
                    "broker evicted cluster={} name={} id={} addr={} silentMs={} timeoutMs={}",
                    PeerText.inLog(broker.clusterName()),
                    PeerText.inLog(broker.brokerName()),
                    broker.brokerId(),
                    PeerText.inLog(broker.brokerAddr()),
                    broker.silentMillis(now),
                    broker.timeoutMillis());
        }
        departed(report, "scanner");
    }

    /** After an operator's change of a broker's write permission. */
    public void permissionChanged(String brokerName, PermReport report, String peer) {
        log.info(
                "write permission of broker changed cause={} name={} topics={} from={}",
                report.change().cause(),
                PeerText.inLog(brokerName),
                report.topics(),
                peer);
    }

    /** After an operator's deletion of a topic. */
    public void topicDeleted(String topic, RouteChange change, String peer) {
        log.info(
                "delete topic={} rows={} from={}",
                PeerText.inLog(topic),
                change.edits().size(),
                peer);
    }

    /** After any other step. */
    public void changed(RouteChange change, String peer) {
        int added = 0;
        int modified = 0;
        int removed = 0;
        for (Edit edit : change.edits()) {
            if (edit instanceof MemberEdit member) {
                logMember(member, change, peer);
            } else if (edit instanceof QueueEdit queue) {
                if (queue.before().isEmpty()) {
                    added++;
                } else if (queue.after().isEmpty()) {
                    removed++;
                } else {
                    modified++;
                }
            }
        }
        if (added + modified + removed > 0) {
            log.info(
                    "topics changed cause={} added={} modified={} removed={} version={} from={}",
                    change.cause(),
                    added,
                    modified,
                    removed,
                    change.version(),
                    peer);
        }
    }

    private static void logMember(MemberEdit edit, RouteChange change, String peer) {
        String event = edit.before().isEmpty()
                ? "register broker"
                : edit.after().isEmpty() ? "remove broker" : "update broker";
        BrokerLiveInfo row = edit.after().or(edit::before).orElseThrow();
        log.info(
                "{} cluster={} name={} id={} addr={} dataVersion={}/{}/{} cause={} from={}",
                event,
                PeerText.inLog(row.clusterName()),
                PeerText.inLog(row.brokerName()),
                row.brokerId(),
                PeerText.inLog(row.brokerAddr()),
                row.dataVersion().stateVersion(),
                row.dataVersion().timestamp(),
                row.dataVersion().counter(),
                change.cause(),
                peer);
    }
}
