package io.namesrv.server.route;

import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.BrokerStatus;
import io.namesrv.core.data.DepartureReport;
import io.namesrv.core.data.PermReport;
import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.data.RegistrationNotice;
import io.namesrv.core.data.RegistrationNotice.Kind;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.RouteChange.Edit;
import io.namesrv.core.data.RouteChange.MemberEdit;
import io.namesrv.core.data.RouteChange.QueueEdit;
import io.namesrv.core.data.ScanReport;
import io.namesrv.core.data.SignOfLife;
import io.namesrv.remoting.LogLimiter;
import io.namesrv.remoting.protocol.PeerText;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what follows from a step of the route tables, after their lock: a line in the log for each broker that came or
 * went, one for topics, the notices of code 905, and the queries that waited for it. Called on the thread that made the step.
 */
public final class RouteEffects {
    private static final Logger log = LoggerFactory.getLogger(RouteEffects.class);

    private final MinBrokerIdNotifier notifier;
    private final Consumer<RouteChange> listener;
    private final LogLimiter conflicts = new LogLimiter(20, Duration.ofSeconds(10));

    /**
     * Makes them.
     *
     * @param listener told of every step, whatever it was, after the lock and before anything is logged; it must not
     *     block, since the one who made the step waits for it
     */
    public RouteEffects(MinBrokerIdNotifier notifier, Consumer<RouteChange> listener) {
        this.notifier = notifier;
        this.listener = listener;
    }

    /** After a registration that was carried out. */
    public void registered(Registered result, String peer) {
        changed(result.change(), peer);
        for (Kind kind : Kind.values()) {
            List<RegistrationNotice> notices = result.notices().stream()
                    .filter(notice -> notice.kind() == kind)
                    .toList();
            if (!notices.isEmpty()) {
                warn(notices, peer);
            }
        }
        notifier.notifyMinBrokerIdChanged(result.minBrokerIdChanges());
    }

    /** One line for all notices of a kind, with the first of them: a body can cause as many as it has topics. */
    private void warn(List<RegistrationNotice> notices, String peer) {
        int leftOut = conflicts.leftOutOrSkip();
        if (leftOut < 0) {
            return;
        }
        RegistrationNotice first = notices.get(0);
        log.warn(
                "registration conflict kind={} number={} subject={} before={} after={} from={} unlogged={}",
                first.kind(),
                notices.size(),
                PeerText.inLog(first.subject()),
                PeerText.inLog(first.before()),
                PeerText.inLog(first.after()),
                peer,
                leftOut);
    }

    /** After brokers left at their own request or with their connection. */
    public void departed(DepartureReport report, String peer) {
        changed(report.change(), peer);
        notifier.notifyMinBrokerIdChanged(report.minBrokerIdChanges());
    }

    /** After a sign of life that may be that of a broker which had been found silent. */
    public void recovered(SignOfLife sign, String peer) {
        if (!sign.change().isEmpty()) {
            changed(sign.change(), peer);
            notifier.notifyMinBrokerIdChanged(sign.minBrokerIdChanges());
        }
    }

    /**
     * After a scan for brokers that have fallen silent.
     *
     * @param evictionMisses how many scans in a row have to find a broker silent
     */
    public void scanned(ScanReport report, long now, int evictionMisses) {
        for (BrokerLiveInfo broker : report.silent()) {
            log.warn(
                    "broker silent: cluster={} name={} id={} addr={} silentMs={} timeoutMs={} miss={}/{} state={}",
                    PeerText.inLog(broker.clusterName()),
                    PeerText.inLog(broker.brokerName()),
                    broker.brokerId(),
                    PeerText.inLog(broker.brokerAddr()),
                    broker.silentMillis(now),
                    broker.timeoutMillis(),
                    broker.misses(),
                    evictionMisses,
                    broker.state());
        }
        for (BrokerLiveInfo broker : report.departed().brokers()) {
            log.warn(
                    "broker evicted cluster={} name={} id={} addr={} silentMs={} timeoutMs={}",
                    PeerText.inLog(broker.clusterName()),
                    PeerText.inLog(broker.brokerName()),
                    broker.brokerId(),
                    PeerText.inLog(broker.brokerAddr()),
                    broker.silentMillis(now),
                    broker.timeoutMillis());
        }
        departed(report.departed(), "scanner");
    }

    /** After an operator's change of a broker's write permission. */
    public void permissionChanged(String brokerName, PermReport report, String peer) {
        listener.accept(report.change());
        log.info(
                "write permission of broker changed cause={} name={} topics={} from={}",
                report.change().cause(),
                PeerText.inLog(brokerName),
                report.topics(),
                peer);
    }

    /** After an operator's deletion of a topic. */
    public void topicDeleted(String topic, RouteChange change, String peer) {
        listener.accept(change);
        log.info(
                "delete topic={} rows={} from={}",
                PeerText.inLog(topic),
                change.edits().size(),
                peer);
    }

    /** After any other step. */
    public void changed(RouteChange change, String peer) {
        listener.accept(change);
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
        String event = event(edit);
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

    private static String event(MemberEdit edit) {
        if (edit.before().isEmpty()) {
            return "register broker";
        }
        if (edit.after().isEmpty()) {
            return "remove broker";
        }
        BrokerStatus before = edit.before().get().state();
        BrokerStatus after = edit.after().get().state();
        if (before == after) {
            return "update broker";
        }
        return switch (after) {
            case ALIVE -> "broker is back";
            case SUSPECT, NOT_AVAILABLE -> "broker is silent";
            case PROVISIONAL -> "keep broker provisionally";
        };
    }
}
