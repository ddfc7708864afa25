/** A part of the build, not of the daemon: its jar leaves this package out. */
@NullMarked
package io.namesrv.server.archive;

import org.jspecify.annotations.NullMarked;
