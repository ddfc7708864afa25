/** The settings: every key declared once, their sources and what may change at run time. */
@NullMarked
package io.namesrv.server.config;

import org.jspecify.annotations.NullMarked;
