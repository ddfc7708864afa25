/** What runs by itself: the scan for silent brokers, notices to brokers. */
@NullMarked
package io.namesrv.server.job;

import org.jspecify.annotations.NullMarked;
