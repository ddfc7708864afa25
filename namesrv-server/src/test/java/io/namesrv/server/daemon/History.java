package io.namesrv.server.daemon;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What happened to brokers and what answers told of them, each with the time it took, and whether the one can be true of
 * the other. Recorded by any thread; the changes of one broker by one thread after another. Checked when all have ended.
 *
 * <p>A broker is a register: it is absent, or it has the registration of some number, and its numbers grow. A change takes
 * effect at one moment between its request and its answer, so a state may be seen from the begin of its change to the
 * end of the next one. An answer shows several brokers at one moment between its own request and answer. It is wrong if
 * there is no moment at which all that it shows may have been (something lost, something undone, half of something), or
 * if it shows less than an answer that had ended before it began.
 *
 * <p>Times are those of {@link System#nanoTime}.
 */
final class History {
    /** The state of a broker that is not registered. */
    static final int ABSENT = 0;

    /** Shown of a broker where the answer tells that it is registered, and not which registration it has. */
    static final int PRESENT = -1;

    /** The end of a change that may not have happened at all. */
    static final long NEVER = Long.MAX_VALUE;

    private static final int MOST_VIOLATIONS = 10;

    private record Change(int state, long from, long to) {}

    private record Answer(String what, long from, long to, Map<String, Integer> states) {}

    private record Window(long from, long to) {}

    private final Map<String, Queue<Change>> changes = new ConcurrentHashMap<>();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();

    /**
     * A broker has changed.
     *
     * @param state {@link #ABSENT}, or the number of its registration
     * @param from before the change was asked for
     * @param to after it was answered, or the last moment for one that is answered by nobody; or {@link #NEVER}
     */
    void changed(String broker, int state, long from, long to) {
        changes.computeIfAbsent(broker, name -> new ConcurrentLinkedQueue<>()).add(new Change(state, from, to));
    }

    /**
     * An answer has told of brokers.
     *
     * @param states by broker, absent ones too: {@link #ABSENT}, {@link #PRESENT} or the number of its registration
     */
    void told(String what, long from, long to, Map<String, Integer> states) {
        answers.add(new Answer(what, from, to, Map.copyOf(states)));
    }

    /** The answers that were recorded. */
    int answers() {
        return answers.size();
    }

    /** The changes that were recorded. */
    int changes() {
        return changes.values().stream().mapToInt(Queue::size).sum();
    }

    /** The first answers that cannot be true, one line each; empty for a history that may have been. */
    List<String> violations() {
        Map<String, Timeline> timelines = new TreeMap<>();
        List<Answer> inOrder =
                answers.stream().sorted(Comparator.comparingLong(Answer::from)).toList();
        List<String> found = new ArrayList<>();
        for (Answer answer : inOrder) {
            List<Window> moments = List.of(new Window(answer.from(), answer.to()));
            for (Map.Entry<String, Integer> shown : new TreeMap<>(answer.states()).entrySet()) {
                Timeline timeline = timelines.computeIfAbsent(shown.getKey(), this::timeline);
                String problem = timeline.read(shown.getValue(), answer);
                moments = problem.isEmpty() ? timeline.moments(shown.getValue(), moments) : List.of();
                if (moments.isEmpty()) {
                    found.add(line(answer, shown, problem.isEmpty() ? "not when the others were as shown" : problem));
                    break;
                }
            }
            if (found.size() == MOST_VIOLATIONS) {
                return found;
            }
        }
        return found;
    }

    private static String line(Answer answer, Map.Entry<String, Integer> shown, String problem) {
        return "%s of %d..%d shows %s as %s: %s"
                .formatted(answer.what(), answer.from(), answer.to(), shown.getKey(), shown.getValue(), problem);
    }

    private Timeline timeline(String broker) {
        return new Timeline(List.copyOf(changes.getOrDefault(broker, new ArrayDeque<>())));
    }

    /** The states of one broker in their order, and how far its readers have come. */
    private static final class Timeline {
        /** By place; the first state is that before all changes. */
        private final int[] states;

        /** Since when a state may have been; does not fall from one place to the next. */
        private final long[] since;

        /** Until when a state may have been; does not fall from one place to the next. */
        private final long[] until;

        /** Answers whose place is known, by their ends. */
        private final Queue<long[]> read = new PriorityQueue<>(Comparator.comparingLong((long[] ended) -> ended[0]));

        /** The last place that was seen by an answer which has ended. */
        private int seen;

        Timeline(List<Change> changes) {
            int size = changes.size() + 1;
            states = new int[size];
            since = new long[size];
            until = new long[size];
            since[0] = Long.MIN_VALUE;
            for (int i = 1; i < size; i++) {
                states[i] = changes.get(i - 1).state();
                since[i] = changes.get(i - 1).from();
            }
            until[size - 1] = NEVER;
            for (int i = size - 2; i >= 0; i--) {
                until[i] = Math.min(until[i + 1], changes.get(i).to());
            }
        }

        private static boolean shows(int shown, int state) {
            return shown == PRESENT ? state != ABSENT : shown == state;
        }

        /** Takes an answer, in the order of their begins; what is wrong with it, or nothing. */
        String read(int shown, Answer answer) {
            while (!read.isEmpty() && read.element()[0] < answer.from()) {
                seen = Math.max(seen, (int) read.remove()[1]);
            }
            boolean earlier = false;
            for (int place = firstUntil(answer.from()); place < states.length && since[place] <= answer.to(); place++) {
                if (shows(shown, states[place]) && place >= seen) {
                    read.add(new long[] {answer.to(), place});
                    return "";
                }
                earlier |= shows(shown, states[place]);
            }
            return earlier ? "an answer before it showed more, " + states[seen] : "it cannot have been so then";
        }

        /** The moments among these at which the broker may have been so. */
        List<Window> moments(int shown, List<Window> among) {
            List<Window> left = new ArrayList<>();
            for (Window window : among) {
                for (int place = firstUntil(window.from());
                        place < states.length && since[place] <= window.to();
                        place++) {
                    if (shows(shown, states[place])) {
                        add(left, Math.max(window.from(), since[place]), Math.min(window.to(), until[place]));
                    }
                }
            }
            return left;
        }

        private static void add(List<Window> windows, long from, long to) {
            int last = windows.size() - 1;
            if (last >= 0 && windows.get(last).to() >= from) {
                windows.set(
                        last,
                        new Window(
                                windows.get(last).from(),
                                Math.max(windows.get(last).to(), to)));
            } else {
                windows.add(new Window(from, to));
            }
        }

        /** The first place that may have lasted to this time. */
        private int firstUntil(long time) {
            int low = 0;
            int high = states.length - 1;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (until[middle] < time) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }
}
