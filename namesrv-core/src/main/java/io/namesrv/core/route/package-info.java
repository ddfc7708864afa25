/** The route tables, their rules and their one lock; the face is {@code RouteInfoManager}. */
@NullMarked
package io.namesrv.core.route;

import org.jspecify.annotations.NullMarked;
