/** What a report says: that the message arrived, was read, did not arrive, or anything on the way. */
export type DeliveryKind = "delivered" | "read" | "failed" | "status";

const KINDS: ReadonlyMap<string, DeliveryKind> = new Map([
  ["delivered", "delivered"],
  ["read", "read"],
  ["failed", "failed"],
  ["expired", "failed"],
  ["deleted", "failed"],
  ["rejected", "failed"],
]);

/** @param status the service's word, in lower case. The service goes on trying after `undelivered`. */
export const deliveryKind = (status: string): DeliveryKind => KINDS.get(status) ?? "status";

/** Whether the message did not arrive and will not. */
export const isUndelivered = (status: string): boolean => deliveryKind(status) === "failed";
