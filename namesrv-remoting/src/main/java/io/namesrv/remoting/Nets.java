package io.namesrv.remoting;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.NetUtil;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** A list of nets, IPv4 and IPv6. Immutable. */
public final class Nets {
    /** No net at all. */
    public static final Nets NONE = new Nets(List.of());

    private final List<IpSubnetFilterRule> nets;

    private Nets(List<IpSubnetFilterRule> nets) {
        this.nets = nets;
    }

    /**
     * Reads nets parted by commas, each an address with or without a prefix: {@code 10.0.0.0/8,::1}. Blank is no net.
     *
     * @throws IllegalArgumentException naming what is no net
     */
    public static Nets parse(String text) {
        List<IpSubnetFilterRule> nets = new ArrayList<>();
        for (String net : text.split(",", -1)) {
            if (!net.isBlank()) {
                nets.add(net(net.strip()));
            }
        }
        return nets.isEmpty() ? NONE : new Nets(List.copyOf(nets));
    }

    private static IpSubnetFilterRule net(String text) {
        int slash = text.indexOf('/');
        InetAddress address = NetUtil.createInetAddressFromIpAddressString(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            throw new IllegalArgumentException("no net: " + text);
        }
        int longest = address instanceof Inet6Address ? 128 : 32;
        int prefix = slash < 0 ? longest : prefix(text, slash + 1);
        if (prefix < 0 || prefix > longest) {
            throw new IllegalArgumentException("no net: " + text);
        }
        return new IpSubnetFilterRule(address, prefix, IpFilterRuleType.ACCEPT);
    }

    private static int prefix(String text, int from) {
        try {
            return Integer.parseInt(text, from, text.length(), 10);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** Whether an address lies in one of them; an unresolved one does not. */
    public boolean contain(InetSocketAddress address) {
        return !address.isUnresolved() && nets.stream().anyMatch(net -> net.matches(address));
    }
}
