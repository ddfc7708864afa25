/** Frames and connections over TCP, on Netty. */
@NullMarked
package io.namesrv.remoting.netty;

import org.jspecify.annotations.NullMarked;
