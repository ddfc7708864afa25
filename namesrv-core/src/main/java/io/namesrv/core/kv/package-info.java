/** The namespaces of keys and values that operators keep in a NameServer. */
@NullMarked
package io.namesrv.core.kv;

import org.jspecify.annotations.NullMarked;
