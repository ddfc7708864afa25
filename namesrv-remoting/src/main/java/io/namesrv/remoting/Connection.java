package io.namesrv.remoting;

import java.net.InetSocketAddress;

/** An accepted connection, as those may see it who answer its requests. Its methods may be called by any thread. */
public interface Connection {
    /** A number that no other connection of this process has or had. */
    long id();

    /** The peer's address. */
    InetSocketAddress remoteAddress();

    /** The peer's address for people, such as {@code 10.0.0.5:40122}; made once. */
    String remote();

    /** False once the connection is closed or about to be. */
    boolean isOpen();

    /** Closes this at once, on any thread; what has not been sent yet is lost. The first reason that is given counts. */
    void close(CloseReason reason);

    /** Whether answers can be sent without many others waiting before them. */
    boolean takesAnswers();

    /** Does something once the connection {@linkplain #takesAnswers takes answers} again or has ended; now if it does. */
    void whenItTakesAnswers(Runnable task);
}
