/** The HTTP port for operators: what the daemon knows, asked for by a person, a script or a monitoring system. */
@NullMarked
package io.namesrv.server.admin;

import org.jspecify.annotations.NullMarked;
