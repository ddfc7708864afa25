package io.namesrv.server.processor;

import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.remoting.LogLimiter;
import io.namesrv.remoting.protocol.PeerText;
import io.namesrv.server.config.NamesrvConfig.Names;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What may be stored as a name, an address or a number of queues. Each check gives the reason why not, or nothing.
 *
 * <p>Names of topics, brokers and clusters are never empty, blank, too long, or hold control characters. With {@code
 * nameCheck=strict} they moreover consist of {@code % | A-Z a-z 0-9 _ - + . : @ #}; with {@code warn}, the default, others
 * are taken as NameServer 5.3.3 takes them, counted, and now and then named in the log.
 */
final class NameRules {
    /** Most bytes of other texts that are kept and shown, such as a zone. */
    private static final int TEXT_MAX = 255;

    /** Stands for a number of a topic that is beyond 32 bits; in no range. */
    static final int NO_NUMBER = Integer.MIN_VALUE;

    private static final int QUEUES_MAX = 65536;
    private static final int PERM_MAX = 15;
    private static final String PUNCTUATION = "%|_-+.:@#";

    private static final Logger log = LoggerFactory.getLogger(NameRules.class);

    private final LogLimiter unusualLines = new LogLimiter(5, Duration.ofMinutes(1));
    private final Names limits;
    private final LongAdder unusual = new LongAdder();

    NameRules(Names limits) {
        this.limits = limits;
    }

    /** Names taken so far that {@code nameCheck=strict} would have refused. */
    long unusualNames() {
        return unusual.sum();
    }

    Optional<String> topic(String name) {
        return name(name, limits.topicMax(), "topicNameMax");
    }

    /** Whether a text could be the name of a topic by its length alone, which costs nothing to find out. */
    boolean isLongerThanTopics(String name) {
        return name.length() > limits.topicMax();
    }

    Optional<String> broker(String name) {
        return name(name, limits.brokerMax(), "brokerNameMax");
    }

    Optional<String> cluster(String name) {
        return name(name, limits.clusterMax(), "clusterNameMax");
    }

    private Optional<String> name(String name, int maxBytes, String key) {
        if (isPlain(name) && name.length() <= maxBytes) {
            return Optional.empty();
        }
        if (name.isBlank()) {
            return Optional.of("is blank");
        }
        Optional<String> reason = text(name, maxBytes, " (" + key + ")");
        if (reason.isPresent() || name.chars().allMatch(NameRules::isUsual)) {
            return reason;
        }
        if (limits.strict()) {
            return Optional.of("holds a character other than letters, digits and " + PUNCTUATION);
        }
        unusual.increment();
        int leftOut = unusualLines.leftOutOrSkip();
        if (leftOut >= 0) {
            log.warn(
                    "unusual name taken, nameCheck=strict would refuse it name={} unlogged={}",
                    PeerText.inLog(name),
                    leftOut);
        }
        return Optional.empty();
    }

    /** Nearly every name is: not empty, and of usual characters alone. */
    private static boolean isPlain(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (!isUsual(name.charAt(i))) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    private static boolean isUsual(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || PUNCTUATION.indexOf(c) >= 0;
    }

    /** Whether a text can be written in UTF-8 and read back: it holds no half of a surrogate pair. */
    static boolean isUnicode(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    /** For the mapping of a static topic. */
    Optional<String> mapping(TopicQueueMappingInfo mapping) {
        boolean numbers = mapping.totalQueues() >= 0
                && mapping.totalQueues() <= QUEUES_MAX
                && mapping.currIdMap().entrySet().stream().allMatch(id -> id.getKey() >= 0 && id.getValue() >= 0);
        if (!numbers) {
            return Optional.of("has a number out of range");
        }
        return topic(mapping.topic()).or(() -> text(mapping.scope()));
    }

    /** For any other text that is kept and shown: no control characters, no half of a surrogate pair, not too long. */
    Optional<String> text(String text) {
        return text(text, TEXT_MAX, "");
    }

    /** Names the limit in the reason, where that is a setting. */
    private static Optional<String> text(String text, int maxBytes, String limit) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c)) {
                return Optional.of("holds a control character");
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return Optional.of("is no Unicode text");
            }
        }
        return isLonger(text, maxBytes)
                ? Optional.of("has more than " + maxBytes + " bytes" + limit)
                : Optional.empty();
    }

    /** Whether a text has more UTF-8 bytes than that. */
    static boolean isLonger(String text, int maxBytes) {
        return text.length() > maxBytes
                || (text.length() > maxBytes / 3 && text.getBytes(StandardCharsets.UTF_8).length > maxBytes);
    }

    /** For host:port. The host is a name or an IPv4 or IPv6 address, the latter with or without brackets. */
    Optional<String> address(String address) {
        Optional<String> reason = text(address, limits.addressMax(), " (addressMax)");
        if (reason.isPresent()) {
            return reason;
        }
        int colon = address.lastIndexOf(':');
        String host = colon < 0 ? "" : address.substring(0, colon);
        boolean opens = host.startsWith("[");
        boolean closes = host.endsWith("]");
        boolean bracketsInPairs = opens == closes
                && host.indexOf('[', 1) < 0
                && (closes ? host.indexOf(']') == host.length() - 1 : host.indexOf(']') < 0);
        boolean wellFormed = !host.isEmpty()
                && !host.equals("[]")
                && host.chars().noneMatch(Character::isWhitespace)
                && bracketsInPairs
                && isPort(address.substring(colon + 1));
        return wellFormed ? Optional.empty() : Optional.of("is no host:port");
    }

    private static boolean isPort(String text) {
        if (text.isEmpty() || text.length() > 5 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return false;
        }
        int port = Integer.parseInt(text);
        return port >= 1 && port <= 65535;
    }

    /** For the numbers of a topic on a broker. */
    Optional<String> queues(int readQueueNums, int writeQueueNums, int perm, int topicSysFlag) {
        if (readQueueNums < 0 || readQueueNums > QUEUES_MAX) {
            return Optional.of("readQueueNums is not 0.." + QUEUES_MAX);
        }
        if (writeQueueNums < 0 || writeQueueNums > QUEUES_MAX) {
            return Optional.of("writeQueueNums is not 0.." + QUEUES_MAX);
        }
        if (perm < 0 || perm > PERM_MAX) {
            return Optional.of("perm is not 0.." + PERM_MAX);
        }
        return topicSysFlag == NO_NUMBER ? Optional.of("topicSysFlag is beyond 32 bits") : Optional.empty();
    }
}
