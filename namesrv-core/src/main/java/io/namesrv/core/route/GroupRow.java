package io.namesrv.core.route;

import io.namesrv.core.data.BrokerData;
import java.util.Optional;

/**
 * A broker group of brokerAddrTable.
 *
 * @param data all members; immutable
 * @param shown the members that clients are shown, with flag and zone of the smallest of them; the same object as
 *     {@code data} if that is all, absent if it is none
 * @param version version of its last change, which is a change of all its topics' answers too
 */
record GroupRow(BrokerData data, Optional<BrokerData> shown, long version) {}
