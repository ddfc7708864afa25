/** What every part of the core shares: the clock that liveness is judged by and the lock idiom. */
@NullMarked
package io.namesrv.core;

import org.jspecify.annotations.NullMarked;
