package io.namesrv.server.interop;

import java.util.ArrayDeque;
import java.util.Deque;

/** What a test has started; it ends with the test, the last one first. */
final class Processes implements AutoCloseable {
    private final Deque<Runnable> ends = new ArrayDeque<>();

    ChildProcess add(ChildProcess process) {
        ends.push(process::close);
        return process;
    }

    NamesrvProcess add(NamesrvProcess namesrv) {
        ends.push(namesrv::close);
        return namesrv;
    }

    @Override
    public void close() {
        ends.forEach(Runnable::run);
        ends.clear();
    }
}
