package io.namesrv.server;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TERM and INT: the first one asks for an orderly stop, a second one within it ends the process at once, with 143 or 130.
 * The JVM takes no notice of the second.
 *
 * <p>What tells of signals is {@code sun.misc.Signal}, which every JDK has and none may be compiled against without a
 * warning that cannot be switched off; so it is called by its name.
 */
final class StopSignals {
    private static final Logger log = LoggerFactory.getLogger(StopSignals.class);

    private static final int EXIT_BASE = 128;
    private static final int INT = 2;
    private static final int TERM = 15;

    private final AtomicBoolean stopping = new AtomicBoolean();
    private final IntConsumer stop;
    private final IntConsumer halt;

    /**
     * Has nothing to do with signals yet.
     *
     * @param stop begins the orderly stop; given the exit code of a process that the signal ends
     * @param halt ends the process with that code
     */
    StopSignals(IntConsumer stop, IntConsumer halt) {
        this.stop = stop;
        this.halt = halt;
    }

    /** From now on hears the signals; those that this process was started to ignore stay ignored. */
    void listen() {
        try {
            handle("TERM", TERM);
            handle("INT", INT);
        } catch (InvocationTargetException taken) {
            log.debug("the JVM keeps TERM and INT to itself", taken.getCause()); // -Xrs
        } catch (ReflectiveOperationException missing) {
            log.debug("this JVM tells of no signals", missing);
        }
    }

    /** A signal has come; on a thread of its own. */
    void heard(int number) {
        (stopping.compareAndSet(false, true) ? stop : halt).accept(EXIT_BASE + number);
    }

    private void handle(String name, int number) throws ReflectiveOperationException {
        Class<?> signals = Class.forName("sun.misc.Signal");
        Class<?> handlers = Class.forName("sun.misc.SignalHandler");
        Object signal = signals.getConstructor(String.class).newInstance(name);
        Object heard = Proxy.newProxyInstance(
                StopSignals.class.getClassLoader(), new Class<?>[] {handlers}, (proxy, method, arguments) -> {
                    if (method.getName().equals("handle")) {
                        heard(number);
                    }
                    return null;
                });
        Object ignored = handlers.getField("SIG_IGN").get(null);
        var handle = signals.getMethod("handle", signals, handlers);
        if (ignored.equals(handle.invoke(null, signal, heard))) {
            handle.invoke(null, signal, ignored);
        }
    }
}
