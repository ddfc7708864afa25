package io.namesrv.remoting;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Fails a test class in which a buffer was forgotten: Netty watches every buffer meanwhile. */
public final class NoLeaks implements BeforeAllCallback, AfterAllCallback {
    private final ListAppender<ILoggingEvent> reports = new ListAppender<>();

    @Override
    public void beforeAll(ExtensionContext context) {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        reports.start();
        detectorLog().addAppender(reports);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        // A forgotten buffer is reported when another one is made after it was collected.
        for (int i = 0; i < 3; i++) {
            System.gc();
            PooledByteBufAllocator.DEFAULT.directBuffer(1).release();
        }
        detectorLog().detachAppender(reports);

        List<String> found =
                reports.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        assertThat(found).filteredOn(line -> line.contains("LEAK")).isEmpty();
    }

    private static Logger detectorLog() {
        return (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
    }
}
