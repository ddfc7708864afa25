package io.namesrv.server.client;

import io.namesrv.core.data.BrokerData;

/** Prints the route of a topic, and what all name servers say of it: {@code PrintRoute host:port;host:port TOPIC}. */
public final class PrintRoute {
    private PrintRoute() {}

    public static void main(String[] args) {
        String topic = args[1];
        try (NamesrvClient client = new NamesrvClient(args[0])) {
            RouteAnswer answer = client.route(topic).join();
            if (answer instanceof RouteAnswer.Found found) {
                for (BrokerData group : found.route().data().brokerDatas()) {
                    System.out.println(group.brokerName() + " " + group.brokerAddrs());
                }
            }
            RoutePicture picture = client.askAllForRoute(topic).join();
            picture.answers()
                    .given()
                    .forEach((server, said) -> System.out.println(
                            server + " answered in " + said.took().toMillis() + " ms"));
            picture.answers()
                    .failures()
                    .forEach((server, failure) -> System.out.println(server + ": " + failure.getMessage()));
            System.out.println(picture.agreed() ? "they agree" : "they differ");
        }
    }
}
