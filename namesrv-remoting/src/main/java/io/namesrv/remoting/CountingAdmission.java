package io.namesrv.remoting;

import java.util.concurrent.atomic.AtomicLong;

/** An admission that counts the bytes of all connections together and may refuse beyond a total. */
public final class CountingAdmission implements Admission {
    private final long limit;
    private final AtomicLong total = new AtomicLong();

    /** @param limit the most bytes held at a time by all connections together; 0 = any */
    public CountingAdmission(long limit) {
        this.limit = limit == 0 ? Long.MAX_VALUE : limit;
    }

    /** The bytes that all connections hold now. */
    public long total() {
        return total.get();
    }

    @Override
    public Account open(Connection connection) {
        return new Account() {
            @Override
            public boolean charge(int bytes) {
                if (total.addAndGet(bytes) > limit) {
                    total.addAndGet(-bytes);
                    return false;
                }
                return true;
            }

            @Override
            public void giveBack(int bytes) {
                total.addAndGet(-bytes);
            }
        };
    }
}
