package io.namesrv.server.daemon;

import java.io.IOException;
import java.io.StringReader;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * What a JVM has become by its options.
 *
 * @param maxHeap in MiB
 * @param collectors their beans' names
 * @param shown the system property {@code shown}
 */
record ShownJvm(long maxHeap, String collectors, String shown, String classPath) {
    /** Prints those of this JVM, as properties. */
    public static void main(String[] args) {
        System.out.println("maxHeap=" + (Runtime.getRuntime().maxMemory() >> 20));
        System.out.println("collectors="
                + ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .map(GarbageCollectorMXBean::getName)
                        .collect(Collectors.joining(",")));
        System.out.println("shown=" + System.getProperty("shown", ""));
        System.out.println("classPath=" + System.getProperty("java.class.path"));
    }

    /** What has been printed; lines that are no properties do not matter. */
    static ShownJvm read(String printed) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(printed));
        return new ShownJvm(
                Long.parseLong(properties.getProperty("maxHeap")),
                properties.getProperty("collectors"),
                properties.getProperty("shown"),
                properties.getProperty("classPath"));
    }
}
