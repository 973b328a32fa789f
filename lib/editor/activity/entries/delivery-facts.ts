import type { MessageProgress } from "../../../shared/activity";

/** Statuses of messages that did not arrive and will not. */
export const FAILED_DELIVERIES: ReadonlySet<string> = new Set(["failed", "expired", "deleted", "rejected"]);
const ARRIVED: ReadonlySet<string> = new Set(["delivered", "read"]);

/** Statuses of deliveries that have a text; others are shown as the service writes them. */
export const KNOWN_DELIVERIES: ReadonlySet<string> = new Set([
  ...FAILED_DELIVERIES,
  ...ARRIVED,
  "accepted",
  "sent",
  "undelivered",
]);

/** Colour of a message by its delivery; null where its result says more. */
export function deliveryTone({ status }: Pick<MessageProgress, "status">): "good" | "bad" | null {
  return FAILED_DELIVERIES.has(status) ? "bad" : ARRIVED.has(status) ? "good" : null;
}
