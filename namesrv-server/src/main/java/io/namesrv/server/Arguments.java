package io.namesrv.server;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The command line of {@code mqnamesrv}, which is Apache's: short names, and long ones with one dash or two.
 *
 * @param action what is asked for
 * @param configFile the file of {@code -c}
 * @param strayWords words that are neither option nor value; they are ignored
 */
record Arguments(Action action, Optional<Path> configFile, List<String> strayWords) {
    /** What the process is started for. */
    enum Action {
        RUN,
        PRINT_CONFIG,
        HELP,
        VERSION
    }

    /** An option that is not known, or one without its value. */
    static final class UsageException extends Exception {
        UsageException(String message) {
            super(message);
        }
    }

    static final String USAGE = """
            usage: mqnamesrv [-c FILE] [-n ADDR] [-p] [-h] [-V]
              -c, --configFile FILE    properties file with settings
              -n, --namesrvAddr ADDR   taken as all tools of RocketMQ take it; has no effect here
              -p, --printConfigItem    print every setting and where it comes from, and end
              -h, --help               print this, and end
              -V, --version            print the version, and end
            """;

    /** Words that ask for something else than a daemon: to start one would be the wrong answer. */
    private static final Set<String> SUB_COMMANDS = Set.of(
            "check-config",
            "status",
            "clusters",
            "brokers",
            "topics",
            "route",
            "clients",
            "events",
            "config",
            "snapshot",
            "compare",
            "health",
            "explain",
            "drain");

    Arguments {
        strayWords = List.copyOf(strayWords);
    }

    static Arguments parse(String... args) throws UsageException {
        Deque<String> left = new ArrayDeque<>(List.of(args));
        Action action = Action.RUN;
        Optional<Path> configFile = Optional.empty();
        List<String> strayWords = new ArrayList<>();
        while (!left.isEmpty()) {
            String arg = left.pop();
            if (SUB_COMMANDS.contains(arg) && strayWords.isEmpty()) {
                throw new UsageException(arg + " is no command of this version");
            }
            if (!arg.startsWith("-") || arg.equals("-")) {
                strayWords.add(arg);
                continue;
            }
            int equals = arg.indexOf('=');
            String name = equals < 0 ? arg : arg.substring(0, equals);
            if (equals >= 0) {
                left.push(arg.substring(equals + 1));
            }
            switch (name) {
                case "-c", "-configFile", "--configFile" -> configFile = Optional.of(Path.of(value(name, left)));
                case "-n", "-namesrvAddr", "--namesrvAddr" -> value(name, left);
                case "-p", "-printConfigItem", "--printConfigItem" -> action = Action.PRINT_CONFIG;
                case "-h", "-help", "--help" -> action = Action.HELP;
                case "-V", "-version", "--version" -> action = Action.VERSION;
                default -> throw new UsageException("unknown option " + name);
            }
        }
        return new Arguments(action, configFile, strayWords);
    }

    private static String value(String option, Deque<String> left) throws UsageException {
        String value = left.poll();
        if (value == null || value.isEmpty()) {
            throw new UsageException("option " + option + " needs a value");
        }
        return value;
    }
}
