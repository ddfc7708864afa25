/** The files of the daemon, written aside, synced and renamed. */
@NullMarked
package io.namesrv.server.store;

import org.jspecify.annotations.NullMarked;
