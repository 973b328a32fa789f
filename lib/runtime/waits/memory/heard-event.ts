import type { NewEvent } from "../../../store/deliveries";
import type { NewReply } from "../../../store/waits/wait";

/** An event of a webhook, as far as waits need it. */
export type HeardEvent = Pick<NewEvent, "number" | "clientMessageId" | "transferId" | "status" | "at"> & {
  /** Null for anything but a message of SMS, WhatsApp or RCS. */
  readonly reply: NewReply | null;
};

/** The ids by which an event belongs to a request. */
export type RequestIds = Pick<HeardEvent, "transferId" | "clientMessageId">;
