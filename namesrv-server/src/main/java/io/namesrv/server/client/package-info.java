/**
 * A client of name servers, this project's and Apache's: routes, clusters, topics and key/value settings, from the
 * fastest server of a list or from all of them side by side. The daemon does not use it.
 */
@NullMarked
package io.namesrv.server.client;

import org.jspecify.annotations.NullMarked;
