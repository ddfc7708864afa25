package io.namesrv.core.data;

import java.util.List;

/**
 * What a scan for silent brokers did, in one step.
 *
 * @param departed the brokers that it removed, and the whole change
 * @param silent the brokers that it found silent and left in the tables, as they are now
 */
public record ScanReport(DepartureReport departed, List<BrokerLiveInfo> silent) {}
