/** One method for every request code, and the table that says which. */
@NullMarked
package io.namesrv.server.processor;

import org.jspecify.annotations.NullMarked;
