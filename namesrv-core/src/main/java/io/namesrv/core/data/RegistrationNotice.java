package io.namesrv.core.data;

/**
 * Something about an accepted registration that an operator should hear of.
 *
 * @param kind what happened
 * @param subject what it happened to: a group, or a static topic
 * @param before what was there
 * @param after what is there now, or was offered
 */
public record RegistrationNotice(Kind kind, String subject, String before, String after) {
    /** Kinds of notices, each with what stands in {@code before} and {@code after}. */
    public enum Kind {
        /** The group lies in another cluster now: former and new cluster. */
        GROUP_MOVED,
        /** Another address holds the broker id now: former and new address. */
        ID_TAKEN_OVER,
        /** The address stood under another broker name, which lost it: former and new {@code name/id}. */
        ADDRESS_TAKEN_OVER,
        /** A static-topic mapping of another broker was dropped: the mapping's broker and the registering one. */
        MAPPING_OF_OTHER_BROKER,
        /** A static-topic mapping with a smaller epoch was dropped: the epoch held and the one offered. */
        MAPPING_OUTDATED
    }
}
