/**
 * The settings: every key declared once, their sources and what may change at run time.
 *
 * <p>{@link ConfigKeys} is the only place that names a key, its range and its default; {@link ConfigLoader} finds the
 * values, {@link NamesrvConfig} is what the other parts are given, and {@link LiveConfig} holds the one in force.
 */
@NullMarked
package io.namesrv.server.config;

import org.jspecify.annotations.NullMarked;
