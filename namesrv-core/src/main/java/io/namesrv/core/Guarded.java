package io.namesrv.core;

import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

/**
 * Some state and the read-write lock it can only be reached through.
 *
 * <p>An action does arithmetic on maps and nothing else: no I/O, no logging, no encoding, no callback, no other lock.
 * What it returns must be immutable, for it leaves the lock.
 *
 * @param <S> the state, mutable, and held by nobody but this object
 */
public final class Guarded<S> {
    private final S state;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();

    public Guarded(S state) {
        this.state = state;
    }

    /** Runs a query under the read lock; queries run beside each other. */
    public <R> R read(Function<? super S, ? extends R> query) {
        return holding(lock.readLock(), query);
    }

    /** The same if no change is being made at this moment; else nothing is run, and the answer is absent. */
    public <R> Optional<R> tryRead(Function<? super S, ? extends R> query) {
        Lock held = lock.readLock();
        if (!held.tryLock()) {
            return Optional.empty();
        }
        try {
            return Optional.of(query.apply(state));
        } finally {
            held.unlock();
        }
    }

    /** Runs a change under the write lock, alone. */
    public <R> R write(Function<? super S, ? extends R> change) {
        return holding(lock.writeLock(), change);
    }

    private <R> R holding(Lock held, Function<? super S, ? extends R> action) {
        held.lock();
        try {
            return action.apply(state);
        } finally {
            held.unlock();
        }
    }
}
