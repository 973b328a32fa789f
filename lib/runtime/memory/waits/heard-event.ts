import type { NewEvent } from "../../../store/deliveries";

/** An event of a webhook, as far as waits need it. */
export type HeardEvent = Pick<
  NewEvent,
  "number" | "clientMessageId" | "transferId" | "status" | "at" | "reply"
>;

/** The ids by which an event belongs to a request. */
export type RequestIds = Pick<HeardEvent, "transferId" | "clientMessageId">;
