package io.namesrv.server.client;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Facts of which each was claimed by one server or more: what several servers say, put together.
 *
 * @param claimants fact → the servers that say so, both in the order in which they were first found
 */
public record Claims<F>(Map<F, Set<String>> claimants) {
    public Claims {
        Map<F, Set<String>> copy = new LinkedHashMap<>();
        claimants.forEach((fact, servers) -> copy.put(fact, Collections.unmodifiableSet(new LinkedHashSet<>(servers))));
        claimants = Collections.unmodifiableMap(copy);
    }

    /**
     * Takes answers apart.
     *
     * @param facts what a server that answered so claims
     */
    public static <V, F> Claims<F> of(Answers<V> answers, Function<? super V, ? extends Collection<F>> facts) {
        Map<F, Set<String>> claimants = new LinkedHashMap<>();
        answers.given().forEach((server, answer) -> {
            for (F fact : facts.apply(answer.value())) {
                claimants.computeIfAbsent(fact, first -> new LinkedHashSet<>()).add(server);
            }
        });
        return new Claims<>(claimants);
    }

    /** Those that not all of these servers claim. */
    public Claims<F> disputedAmong(Set<String> servers) {
        Map<F, Set<String>> disputed = new LinkedHashMap<>();
        claimants.forEach((fact, by) -> {
            if (!by.containsAll(servers)) {
                disputed.put(fact, by);
            }
        });
        return new Claims<>(disputed);
    }

    /** Of the facts of a kind, which exclude each other, the one that most servers claim; of several the first found. */
    public Optional<F> mostClaimed(Predicate<? super F> kind) {
        Optional<F> most = Optional.empty();
        int votes = 0;
        for (Map.Entry<F, Set<String>> claim : claimants.entrySet()) {
            if (kind.test(claim.getKey()) && claim.getValue().size() > votes) {
                most = Optional.of(claim.getKey());
                votes = claim.getValue().size();
            }
        }
        return most;
    }
}
