package io.namesrv.server.processor;

import io.namesrv.core.route.RouteInfoManager;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer that says something of all tables: made once for each of their versions, by one thread at a time
 * whoever else wants it, and shared by all who ask.
 */
final class BodyOfVersion {
    /** What is larger is not kept. */
    private static final int KEPT_MAX = 16 << 20;

    private static final class Made {
        final long version;
        final byte[] body;

        Made(long version, byte[] body) {
            this.version = version;
            this.body = body;
        }
    }

    private final RouteInfoManager routes;
    private final Supplier<byte[]> maker;
    private volatile @Nullable Made made;

    /**
     * Makes nothing yet.
     *
     * @param maker makes the body of what the tables hold when it is called
     */
    BodyOfVersion(RouteInfoManager routes, Supplier<byte[]> maker) {
        this.routes = routes;
        this.maker = maker;
    }

    byte[] get() {
        Made last = made;
        return last != null && last.version == routes.publishedVersion() ? last.body : make();
    }

    private synchronized byte[] make() {
        long version = routes.version();
        Made last = made;
        if (last != null && last.version == version) {
            return last.body;
        }
        byte[] body = maker.get(); // may be of a later version, and is then made anew for the next who asks
        made = body.length > KEPT_MAX ? null : new Made(version, body);
        return body;
    }
}
