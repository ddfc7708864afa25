package io.namesrv.remoting.netty;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How many connections are open, and how many of each address: a bound for both. For any thread. */
final class ConnectionCounts {
    private final int max;
    private final int perIpMax;
    private final Map<InetAddress, Integer> byIp = new HashMap<>();
    private final LongAdder refused = new LongAdder();
    private int open;

    /**
     * None yet.
     *
     * @param max the most at a time
     * @param perIpMax the most of one address at a time
     */
    ConnectionCounts(int max, int perIpMax) {
        this.max = max;
        this.perIpMax = perIpMax;
    }

    /** Counts a connection; false, and it isn't counted, if there are so many already. */
    synchronized boolean enter() {
        if (open >= max) {
            refused.increment();
            return false;
        }
        open++;
        return true;
    }

    synchronized void leave() {
        open--;
    }

    /** Counts a connection of an address; false, and it isn't counted, if that has so many already. */
    synchronized boolean enter(InetAddress ip) {
        int of = byIp.getOrDefault(ip, 0);
        if (of >= perIpMax) {
            refused.increment();
            return false;
        }
        byIp.put(ip, of + 1);
        return true;
    }

    synchronized void leave(InetAddress ip) {
        byIp.computeIfPresent(ip, (key, of) -> of == 1 ? null : of - 1);
    }

    /** The connections that are open. */
    synchronized int open() {
        return open;
    }

    /** Connections that were refused so far. */
    long refused() {
        return refused.sum();
    }

    /** Addresses that have connections. */
    synchronized int addresses() {
        return byIp.size();
    }
}
