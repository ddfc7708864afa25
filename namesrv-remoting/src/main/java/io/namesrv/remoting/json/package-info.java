/**
 * Strict, bounded reading of JSON that peers send: headers and bodies alike.
 *
 * <p>A library's reader is not used here because this input is hostile until proven otherwise and has a form of its own:
 * brokers write number keys without quotes, while comments, single quotes, dates, sets, NaN, type names and trailing
 * text, all of which lenient readers take, are no part of it. Writing is left to fastjson2.
 */
@NullMarked
package io.namesrv.remoting.json;

import org.jspecify.annotations.NullMarked;
