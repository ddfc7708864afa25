package io.namesrv.server.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.ActingMaster;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.Registration;
import io.namesrv.core.data.Registration.FilterServers;
import io.namesrv.core.data.Registration.TopicTable;
import io.namesrv.core.route.RouteInfoManager;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class BodyOfVersionTest {
    private final RouteInfoManager routes = new RouteInfoManager(() -> 0);
    private final AtomicInteger made = new AtomicInteger();
    private int size = 1;
    private final BodyOfVersion body = new BodyOfVersion(routes, () -> {
        made.incrementAndGet();
        return new byte[size];
    });

    private void change(int broker) {
        routes.registerBroker(
                new Registration(
                        "c1",
                        "b" + broker,
                        0,
                        "10.0.0." + broker + ":10911",
                        "",
                        ActingMaster.UNSAID,
                        "",
                        120_000,
                        TopicTable.NONE,
                        FilterServers.NONE),
                new ConnectionId(1),
                false);
    }

    @Test
    void it_is_made_once_for_each_version() {
        assertThat(body.get()).isSameAs(body.get());
        assertThat(made).hasValue(1);

        change(1);
        assertThat(body.get()).isSameAs(body.get());
        assertThat(made).hasValue(2);

        change(1); // the same once more
        body.get();
        assertThat(made).hasValue(2);
    }

    @Test
    void what_is_very_large_is_not_kept() {
        size = (16 << 20) + 1;
        body.get();
        body.get();

        assertThat(made).hasValue(2);
    }

    @Test
    void a_change_while_it_is_made_has_it_made_anew() {
        BodyOfVersion late = new BodyOfVersion(routes, () -> {
            if (made.incrementAndGet() == 1) {
                change(9);
            }
            return new byte[made.get()];
        });

        assertThat(late.get()).hasSize(1);
        assertThat(late.get()).hasSize(2);
        assertThat(late.get()).hasSize(2);
    }
}
