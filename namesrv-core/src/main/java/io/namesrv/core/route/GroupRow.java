package io.namesrv.core.route;

import io.namesrv.core.data.BrokerData;

/**
 * A broker group of brokerAddrTable.
 *
 * @param data what clients may be shown; immutable
 * @param version version of its last change, which is a change of all its topics' answers too
 */
record GroupRow(BrokerData data, long version) {}
