/** The daemon: arguments, wiring, start and stop. */
@NullMarked
package io.namesrv.server;

import org.jspecify.annotations.NullMarked;
