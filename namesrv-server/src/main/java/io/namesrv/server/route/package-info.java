/** What follows from a change of the route tables, once the lock has been released. */
@NullMarked
package io.namesrv.server.route;

import org.jspecify.annotations.NullMarked;
