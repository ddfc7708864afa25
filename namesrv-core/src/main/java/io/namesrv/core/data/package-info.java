/** The records the route tables are made of; immutable, so they may leave the lock uncopied. */
@NullMarked
package io.namesrv.core.data;

import org.jspecify.annotations.NullMarked;
