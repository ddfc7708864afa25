/**
 * The files of the daemon, written aside, synced and renamed.
 *
 * <p>{@link SafeFile} is the one class through which anything is written; what stands in a file is the business of the
 * class that is named for it.
 */
@NullMarked
package io.namesrv.server.store;

import org.jspecify.annotations.NullMarked;
