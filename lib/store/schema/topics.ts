/** Told when requests of an account may leave. */
export const queueTopic = (account: string): string => `queue ${account}`;

/** Told when a person stops all sending of an account, or lets it go on. */
export const stopTopic = (account: string): string => `stop ${account}`;

/** Told when a process leaves the store. */
export const INSTANCES_TOPIC = "instances";

/** Told when results are there for an instance that did not send the request itself. */
export const resultsTopic = (instance: string): string => `results ${instance}`;
/** Those of the instances that statements have named as `result owner`. */
export const resultOwnerTopics = (rows: readonly { readonly resultOwner?: unknown }[]): readonly string[] => [
  ...new Set(rows.map(({ resultOwner }) => resultsTopic(String(resultOwner)))),
];
