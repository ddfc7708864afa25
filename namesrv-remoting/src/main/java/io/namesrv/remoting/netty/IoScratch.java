package io.namesrv.remoting.netty;

import io.namesrv.remoting.protocol.HeaderScan;
import io.namesrv.remoting.protocol.ReadyFrames;
import io.netty.util.concurrent.FastThreadLocal;

/** What an I/O thread uses for one frame after another, so that it is not made for each. */
final class IoScratch {
    /** Longer headers are read the long way. */
    static final int HEADER_MAX = 2048;

    private static final FastThreadLocal<IoScratch> OF_THREAD = new FastThreadLocal<>() {
        @Override
        protected IoScratch initialValue() {
            return new IoScratch();
        }
    };

    final byte[] header = new byte[HEADER_MAX];
    final HeaderScan scan = new HeaderScan();
    private ReadyFrames frames = new ReadyFrames(0);

    private IoScratch() {}

    /** That of the calling thread. */
    static IoScratch get() {
        return OF_THREAD.get();
    }

    /** The writer of frames for a release. */
    ReadyFrames frames(int version) {
        if (frames.version() != version) {
            frames = new ReadyFrames(version);
        }
        return frames;
    }
}
