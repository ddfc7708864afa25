package io.namesrv.server.config;

import io.namesrv.remoting.protocol.PeerText;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What is made of a key that the daemon doesn't have: whose it may be, and which one was meant. */
final class UnknownKeys {
    /** Settings of Apache's clients and of its controller whose names are like none of theirs, or too like ours. */
    private static final Set<String> OF_OTHERS = Set.of(
            "clientWorkerThreads",
            "clientCallbackExecutorThreads",
            "clientOnewaySemaphoreValue",
            "clientAsyncSemaphoreValue",
            "clientChannelMaxIdleTimeSeconds",
            "clientSocketSndBufSize",
            "clientSocketRcvBufSize",
            "clientPooledByteBufAllocatorEnable",
            "clientCloseSocketIfTimeout",
            "connectTimeoutMillis",
            "channelNotActiveInterval",
            "useTLS",
            "socksProxyConfig",
            "disableCallbackExecutor",
            "disableNettyWorkerGroup",
            "maxReconnectIntervalTimeSeconds",
            "enableReconnectForGoAway",
            "enableTransparentRetry",
            "mappedFileSize",
            "electMasterMaxRetryCount",
            "enableElectUncleanMaster",
            "isProcessReadEvent",
            "notifyBrokerRoleChanged",
            "scanInactiveMasterInterval");

    private UnknownKeys() {}

    /** Whether a file shared with other parts of RocketMQ may well hold this key: client, controller, JRaft. */
    static boolean belongsToOthers(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return OF_OTHERS.contains(name)
                || lower.startsWith("controller")
                || lower.startsWith("jraft")
                || (lower.startsWith("client") && nearest(name).isEmpty());
    }

    /** A message about an unknown key, with the key that was probably meant. */
    static String warning(String name, ConfigSource source) {
        String known = nearest(name).map(key -> " (did you mean " + key + "?)").orElse("");
        return "unknown setting " + PeerText.inLog(name) + known + ", from " + source;
    }

    /** The key whose name differs in case alone or in a few letters, if there is one. */
    static Optional<String> nearest(String name) {
        String best = "";
        int least = Integer.MAX_VALUE;
        for (ConfigKey<?> key : ConfigSections.keys()) {
            int distance = distance(name.toLowerCase(Locale.ROOT), key.name().toLowerCase(Locale.ROOT));
            if (distance < least) {
                least = distance;
                best = key.name();
            }
        }
        return least <= Math.max(1, best.length() / 5) ? Optional.of(best) : Optional.empty();
    }

    /** Letters to put in, take out or replace to get from one word to the other; words too unlike are not compared. */
    private static int distance(String from, String to) {
        if (Math.abs(from.length() - to.length()) > to.length()) {
            return Integer.MAX_VALUE;
        }
        int[] above = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[to.length()];
    }
}
