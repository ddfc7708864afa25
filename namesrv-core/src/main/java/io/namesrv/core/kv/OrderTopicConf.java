package io.namesrv.core.kv;

import java.util.Optional;

/**
 * The value of an order topic: {@code name:number(;name:number)*}, a broker and how many queues of it. Producers that see
 * it make their queues of it and not of the route's, and one that cannot read it sends nothing.
 *
 * <p>Well-formed is what all of Apache's clients read. A ';' at the end, for one, is passed over by the Java client and
 * ends the Go client. An empty value is as good as none. A number may be 0, as of a topic without queues to write to.
 */
public final class OrderTopicConf {
    /** No broker has more queues of a topic. */
    private static final int QUEUES_MAX = 65536;

    private OrderTopicConf() {}

    /** The first part of a value that is not {@code name:number}, possibly an empty one; absent if the value is well-formed. */
    public static Optional<String> brokenPart(String value) {
        if (value.isEmpty()) {
            return Optional.empty();
        }
        int from = 0;
        while (true) {
            int semicolon = value.indexOf(';', from);
            String part = value.substring(from, semicolon < 0 ? value.length() : semicolon);
            if (!isNameAndNumber(part)) {
                return Optional.of(part);
            }
            if (semicolon < 0) {
                return Optional.empty();
            }
            from = semicolon + 1;
        }
    }

    private static boolean isNameAndNumber(String part) {
        int colon = part.indexOf(':');
        if (colon < 0) {
            return false;
        }
        String name = part.substring(0, colon);
        // Clients take a name as it stands, so that one with a space around it is of no broker.
        return !name.isEmpty() && name.equals(name.strip()) && isNumber(part.substring(colon + 1));
    }

    private static boolean isNumber(String text) {
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return false;
            }
            number = 10 * number + (c - '0');
            if (number > QUEUES_MAX) {
                return false;
            }
        }
        return !text.isEmpty();
    }
}
