package io.namesrv.server.daemon;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Peers that mean no good. Each way of it runs to its end on the caller's thread, whatever the daemon does to it. */
enum Hostility {
    /** Frames that are none, on connections that end over them. */
    BAD_FRAMES {
        @Override
        void attack(int port, Random random) throws IOException {
            for (byte[] frame : List.of(
                    new byte[] {-1, -1, -1, -1},
                    new byte[] {0x7F, -1, -1, -1, 0, 0, 0, 0},
                    new byte[] {0, 0, 0, 3, 0, 0, 0},
                    new byte[] {0, 0, 0, 8, 0, 0, 0, 4, '{', '{', '{', '{'},
                    new byte[] {0, 0, 0, 8, 9, 0, 0, 4, 1, 2, 3, 4},
                    "GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII))) {
                try (Peer peer = new Peer(port)) {
                    peer.writeRaw(frame);
                    peer.isEnded();
                }
            }
        }
    },

    /** Requests that can be read and are nonsense; their connection stays. */
    BAD_REQUESTS {
        @Override
        void attack(int port, Random random) throws IOException {
            TestBroker broker = TestBroker.master().name("evil\n2026-01-01 ERROR forged");
            try (Peer peer = new Peer(port)) {
                for (Request request : List.of(
                        broker.register(),
                        TestBroker.master().register().body("{\"topicConfigSerializeWrapper\":" + "[".repeat(1000)),
                        TestBroker.master().addr("nowhere").register(),
                        Request.of(random.nextInt(1, 20_000) + 10_000),
                        Request.of(103),
                        Request.of(318).body("a=b"))) {
                    peer.ask(request);
                }
            }
        }
    },

    /** Registrations of 60 KiB that inflate to 60 MiB. */
    BOMBS {
        @Override
        void attack(int port, Random random) throws IOException {
            Request bomb = TestBroker.numbered(9_999)
                    .with("compressed", true)
                    .register()
                    .body(BOMB);
            for (int i = 0; i < 4; i++) {
                try (Peer peer = new Peer(port)) {
                    peer.sendAll(Collections.nCopies(4, bomb));
                    peer.next();
                }
            }
        }
    },

    /** Registrations of a megabyte of nothing, many of them one behind the other. */
    HOGS {
        @Override
        void attack(int port, Random random) throws IOException {
            Request hog = TestBroker.numbered(9_000 + random.nextInt(900))
                    .cluster("hogs")
                    .register()
                    .body("{\"nothing\":\"" + "x".repeat(1 << 20) + "\"}");
            try (Peer one = new Peer(port);
                    Peer other = new Peer(port)) {
                for (Peer peer : List.of(one, other)) {
                    peer.sendAll(Collections.nCopies(8, hog));
                }
                one.next();
                other.next();
            }
        }
    },

    /** Long frames that are begun and never ended. */
    PROMISES {
        @Override
        void attack(int port, Random random) throws IOException {
            List<Peer> peers = new ArrayList<>();
            try {
                for (int i = 0; i < 40; i++) {
                    Peer peer = new Peer(port);
                    peers.add(peer);
                    peer.writeRaw(new byte[] {0, (byte) 0xF0, 0, 0, 0, 0, 0, 100, '{'});
                    peer.writeRaw(new byte[random.nextInt(60_000)]);
                }
            } finally {
                closeAll(peers);
            }
        }
    },

    /** Many questions for large answers that nobody reads. */
    SLOW_READERS {
        @Override
        void attack(int port, Random random) throws IOException {
            List<Peer> peers = new ArrayList<>();
            try {
                for (int i = 0; i < 20; i++) {
                    Peer peer = new Peer(port);
                    peers.add(peer);
                    peer.sendAll(Collections.nCopies(500, Request.of(random.nextBoolean() ? 206 : 106)));
                }
                Thread.sleep(500); // the answers pile up
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            } finally {
                closeAll(peers);
            }
        }
    };

    private static final byte[] BOMB = Compressed.deflated(new byte[60 << 20]);

    /** Once; may end with an exception where the daemon ends a connection. */
    abstract void attack(int port, Random random) throws IOException;

    private static void closeAll(List<Peer> peers) throws IOException {
        for (Peer peer : peers) {
            peer.reset();
        }
    }
}
