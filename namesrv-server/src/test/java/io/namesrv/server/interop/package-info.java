/**
 * Real brokers, clients and {@code mqadmin} of three generations of Apache RocketMQ, as processes, against our daemon
 * as a process. Apache's classes are never on the class path of this JVM; what is compiled against them and what they
 * are fetched by lies in {@code src/test/peers}.
 */
@NullMarked
package io.namesrv.server.interop;

import org.jspecify.annotations.NullMarked;
