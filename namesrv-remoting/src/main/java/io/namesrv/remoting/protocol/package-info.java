/** The commands of RocketMQ's remoting protocol and the two forms of their headers. */
@NullMarked
package io.namesrv.remoting.protocol;

import org.jspecify.annotations.NullMarked;
