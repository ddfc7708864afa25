package io.namesrv.server.processor;

import io.namesrv.core.data.TopicVersion;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.protocol.HeaderScan;
import io.namesrv.remoting.protocol.ReadyAnswer;
import io.namesrv.remoting.protocol.ResponseCode;
import io.namesrv.server.processor.JsonBodies.Dialect;
import io.namesrv.server.processor.RouteQuery.Shape;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Encoded answers to route queries, so that most are given on the I/O thread: without the lock, without JSON, without
 * another thread.
 *
 * <p><b>How it is never older than the tables.</b> What is kept bears the {@linkplain RouteVersion version} of its topic,
 * and the version of all tables at which that was seen last. As long as {@link RouteInfoManager#publishedVersion} says
 * the same, nothing at all has changed, and the answer holds; whoever has been told that a change is made finds another
 * number there. Else the topic's own version is looked at, if that can be done without waiting: mostly something else
 * has changed, and the answer holds for the new number too.
 *
 * <p><b>Bounds.</b> Of known topics alone, never of names that callers make up; by bytes, and what was not asked for since
 * it was looked at last goes first. Answers for a zone, or with a version, are not kept.
 */
public final class RouteAnswerCache {
    private static final byte[] TOPIC = ascii("topic");
    private static final byte[] STANDARD_JSON = ascii("acceptStandardJsonOnly");

    /** Fields with which a query goes the long way. */
    private static final byte[][] UNUSUAL = {ascii("routeVersion"), ascii("__ZONE_MODE")};

    /** What a topic takes beside its bodies, about. */
    private static final int ENTRY_BYTES = 256;

    /** A larger part of the whole is not kept for one topic. */
    private static final int LARGEST_SHARE = 8;

    private static final class Entry {
        final TopicKey key;
        volatile @Nullable Answers answers;
        volatile boolean asked;
        int bytes;

        Entry(TopicKey key) {
            this.key = key;
        }
    }

    /** What is kept of one version of a topic. */
    private static final class Answers {
        final RouteVersion version;
        final @Nullable ReadyAnswer bareKeys;
        final @Nullable ReadyAnswer standard;

        /** The version of all tables at which it was known to hold. */
        volatile long seenAt;

        Answers(RouteVersion version, long seenAt, @Nullable ReadyAnswer bareKeys, @Nullable ReadyAnswer standard) {
            this.version = version;
            this.seenAt = seenAt;
            this.bareKeys = bareKeys;
            this.standard = standard;
        }

        @Nullable
        ReadyAnswer in(Dialect dialect) {
            return dialect == Dialect.STANDARD ? standard : bareKeys;
        }

        Answers with(Dialect dialect, ReadyAnswer answer) {
            return dialect == Dialect.STANDARD
                    ? new Answers(version, seenAt, bareKeys, answer)
                    : new Answers(version, seenAt, answer, standard);
        }

        int bytes() {
            return (bareKeys == null ? 0 : bareKeys.body().length) + (standard == null ? 0 : standard.body().length);
        }
    }

    private final RouteInfoManager routes;
    private final RouteEpoch epoch;
    private final long bytesMax;
    private final ConcurrentMap<TopicKey, Entry> entries = new ConcurrentHashMap<>();

    /** All entries, in the order in which they are looked at when room is needed. */
    private final Queue<Entry> ring = new ArrayDeque<>();

    private long bytes;

    /**
     * An empty one.
     *
     * @param bytesMax most bytes that are kept, about
     */
    public RouteAnswerCache(RouteInfoManager routes, RouteEpoch epoch, long bytesMax) {
        this.routes = routes;
        this.epoch = epoch;
        this.bytesMax = bytesMax;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    // ---- asking

    /** The answer to a query, if it is here or the topic is unknown; null if the query has to go the long way. */
    @Nullable
    ReadyAnswer find(HeaderScan request) {
        int topic = -1;
        boolean standardJson = false;
        for (int i = 0; i < request.fields(); i++) {
            if (request.isName(i, TOPIC)) {
                if (topic >= 0) {
                    return null;
                }
                topic = i;
            } else if (request.isName(i, STANDARD_JSON)) {
                standardJson = Boolean.parseBoolean(request.value(i));
            } else if (isUnusual(request, i)) {
                return null;
            }
        }
        return topic < 0 ? null : find(request, topic, RouteQuery.dialect(standardJson, request.version()));
    }

    private static boolean isUnusual(HeaderScan request, int field) {
        for (byte[] name : UNUSUAL) {
            if (request.isName(field, name)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable ReadyAnswer find(HeaderScan request, int topic, Dialect dialect) {
        long now = routes.publishedVersion();
        Entry entry = entries.get(new TopicKey(request.bytes(), request.valueFrom(topic), request.valueTo(topic)));
        if (entry == null) {
            return ifUnknown(request.value(topic));
        }
        Answers answers = entry.answers;
        if (answers == null || !holds(answers, entry.key, now)) {
            return null;
        }
        if (!entry.asked) {
            entry.asked = true;
        }
        return answers.in(dialect);
    }

    private boolean holds(Answers answers, TopicKey topic, long now) {
        if (!answers.version.epoch().equals(epoch.current())) {
            return false;
        }
        if (answers.seenAt == now) {
            return true;
        }
        Optional<TopicVersion> latest = routes.tryTopicVersion(topic.text());
        if (latest.isEmpty() || latest.get().topic() != answers.version.number()) {
            return false;
        }
        answers.seenAt = latest.get().tables();
        return true;
    }

    private @Nullable ReadyAnswer ifUnknown(String topic) {
        return routes.tryTopicVersion(topic)
                .filter(latest -> latest.topic() < 0)
                .map(latest -> ReadyAnswer.error(ResponseCode.TOPIC_NOT_EXIST, RouteMoment.notFound(topic)))
                .orElse(null);
    }

    // ---- keeping

    /** The body of a route that is there; the one that is kept, or else it is made and kept. */
    byte[] body(RouteMoment moment, Shape shape) {
        if (shape.zoneName().isPresent()) {
            return moment.body(shape);
        }
        TopicKey key = TopicKey.of(moment.topic());
        Entry entry = entries.get(key);
        Answers kept = entry == null ? null : entry.answers;
        ReadyAnswer ready = kept == null || !kept.version.equals(moment.version()) ? null : kept.in(shape.dialect());
        if (ready != null) {
            return ready.body();
        }
        byte[] body = moment.body(shape);
        if (body.length <= bytesMax / LARGEST_SHARE) {
            keep(key, moment, shape.dialect(), ReadyAnswer.success(body));
        }
        return body;
    }

    private synchronized void keep(TopicKey key, RouteMoment moment, Dialect dialect, ReadyAnswer answer) {
        Entry entry = entries.get(key);
        if (entry == null) {
            entry = new Entry(key);
            entry.asked = true;
            entries.put(key, entry);
            ring.add(entry);
        }
        Answers kept = entry.answers;
        if (kept == null || !kept.version.equals(moment.version())) {
            kept = new Answers(moment.version(), moment.tablesVersion(), null, null);
        }
        Answers next = kept.with(dialect, answer);
        entry.answers = next;
        bytes -= entry.bytes;
        entry.bytes = ENTRY_BYTES + key.length() + next.bytes();
        bytes += entry.bytes;
        makeRoom();
    }

    /** Each entry that was asked for since it was looked at last gets another round. */
    private void makeRoom() {
        while (bytes > bytesMax) {
            Entry eldest = ring.remove();
            if (eldest.asked) {
                eldest.asked = false;
                ring.add(eldest);
            } else {
                entries.remove(eldest.key);
                bytes -= eldest.bytes;
            }
        }
    }

    /** The bytes that are kept. */
    synchronized long bytes() {
        return bytes;
    }
}
