package io.namesrv.core.data;

import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.data.Registration.TopicSummary;

/**
 * What became of a registration that says what the last one of its broker said.
 *
 * @param result as if it had been read
 * @param topics what was in the topic table
 */
public record RepeatedRegistration(Registered result, TopicSummary topics) {}
