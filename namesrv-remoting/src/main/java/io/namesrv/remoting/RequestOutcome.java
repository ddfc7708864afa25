package io.namesrv.remoting;

/**
 * What became of one request.
 *
 * @param context where it came from
 * @param code its request code, known or not
 * @param lane the name of the lane that it was for; empty if none serves the code
 * @param waitedNanos from its arrival until it began to run, or was refused
 * @param ranNanos from there until its answer was there, or until it was held back; 0 if it did not run
 * @param result the response code, of a one-way request the one that it would have got
 * @param oneway whether it was sent one-way and so got no answer
 */
public record RequestOutcome(
        RequestContext context, int code, String lane, long waitedNanos, long ranNanos, int result, boolean oneway) {}
