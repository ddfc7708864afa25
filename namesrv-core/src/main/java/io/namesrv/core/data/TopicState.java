package io.namesrv.core.data;

import java.util.List;

/**
 * A topic as it stands in the tables.
 *
 * @param queues its queues, one for each broker group, in order of names
 * @param version of the tables when its queues or mappings were changed last
 */
public record TopicState(String topic, List<TopicQueue> queues, long version) {}
