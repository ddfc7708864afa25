package io.namesrv.server;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A process that finds a vital part of it dead, or one whose stop hangs. */
public final class Dying {
    private Dying() {}

    public static void main(String[] args) throws InterruptedException {
        if (args.length == 0) {
            NamesrvStartup.die("a thread that a test made up");
        } else {
            NamesrvStartup.haltAfter(Duration.ofMillis(100), 0);
            new CountDownLatch(1).await();
        }
    }
}
