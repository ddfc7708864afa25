package io.namesrv.core.data;

import java.util.List;

/**
 * The changes of the tables since they were last asked for.
 *
 * @param changes in the order of their versions; none is empty
 * @param lost whether there were more than could be kept: then none is given
 */
public record RouteChanges(List<RouteChange> changes, boolean lost) {}
