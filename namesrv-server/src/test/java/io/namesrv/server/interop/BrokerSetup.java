package io.namesrv.server.interop;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * What a broker is told at its start. Its files belong to cluster, name and id, not to the port: the same broker on
 * another port is a broker that has moved.
 *
 * @param port the port of its service; the one above it is for replication, the second one below it for "fast" requests
 * @param id 0 for a master
 * @param more settings beyond those that every broker of a test gets, or instead of them
 */
record BrokerSetup(String cluster, String name, long id, int port, Map<String, String> more) {
    /**
     * Files of a few megabytes instead of gigabytes, no refusal of messages because of a full disk, and nothing of what
     * keeps a processor busy for nothing: writing the empty wheel of timed messages every second, and a thread of 5.x
     * that spins until its first flush.
     */
    private static final Map<String, String> SMALL = Map.ofEntries(
            Map.entry("mappedFileSizeCommitLog", "4194304"),
            Map.entry("mappedFileSizeConsumeQueue", "60000"),
            Map.entry("maxIndexNum", "4000"),
            Map.entry("maxHashSlotNum", "1000"),
            Map.entry("diskMaxUsedSpaceRatio", "98"),
            Map.entry("sendMessageThreadPoolNums", "2"),
            Map.entry("pullMessageThreadPoolNums", "2"),
            Map.entry("mappedFileSizeTimerLog", "4194304"),
            Map.entry("timerFlushIntervalMs", "60000"),
            Map.entry("transactionMetricFlushInterval", "500"));

    BrokerSetup {
        more = Map.copyOf(more);
    }

    static BrokerSetup master(String cluster, String name, int port) {
        return new BrokerSetup(cluster, name, 0, port, Map.of());
    }

    /** A slave of this master, with its settings. */
    BrokerSetup slave(long slaveId, int slavePort) {
        return new BrokerSetup(cluster, name, slaveId, slavePort, more).with("brokerRole", "SLAVE");
    }

    BrokerSetup with(String key, String value) {
        Map<String, String> all = new TreeMap<>(more);
        all.put(key, value);
        return new BrokerSetup(cluster, name, id, port, all);
    }

    BrokerSetup onPort(int other) {
        return new BrokerSetup(cluster, name, id, other, more);
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    /** How its process and its directory are called. */
    String label() {
        return "broker-" + cluster + "-" + name + "-" + id;
    }

    /** Its settings, all but the name servers; what it stores goes into this directory. */
    Properties properties(Path store) {
        Properties all = new Properties();
        all.putAll(SMALL);
        all.setProperty("brokerClusterName", cluster);
        all.setProperty("brokerName", name);
        all.setProperty("brokerId", Long.toString(id));
        all.setProperty("brokerIP1", "127.0.0.1");
        all.setProperty("brokerIP2", "127.0.0.1");
        all.setProperty("bindAddress", "127.0.0.1");
        all.setProperty("listenPort", Integer.toString(port));
        all.setProperty("haListenPort", Integer.toString(port + 1));
        all.setProperty("storePathRootDir", store.toString());
        all.setProperty("storePathCommitLog", store.resolve("commitlog").toString());
        all.putAll(more);
        return all;
    }
}
