/** Requests and their way to an answer: processors, lanes, the order within a connection. */
@NullMarked
package io.namesrv.remoting;

import org.jspecify.annotations.NullMarked;
