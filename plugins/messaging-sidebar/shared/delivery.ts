/** Statuses of messages that did not arrive and will not. */
export const FAILED_DELIVERIES: ReadonlySet<string> = new Set(["failed", "expired", "deleted", "rejected"]);

/** Statuses of deliveries that have a text; others are shown as the service writes them. */
export const KNOWN_DELIVERIES: readonly string[] = [
  ...FAILED_DELIVERIES,
  "delivered",
  "read",
  "accepted",
  "sent",
  "undelivered",
];
