/** What the daemon counts, for monitoring: instruments and their page. */
@NullMarked
package io.namesrv.server.metrics;

import org.jspecify.annotations.NullMarked;
