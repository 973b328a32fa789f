import { WAIT_RANGE } from "../fields/wait-fields";
import { readMoment } from "./read-moment";

/** Until when is waited, in epoch ms; or that it is no moment, has passed, or is too far away. */
export type WaitUntil =
  | { readonly ok: true; readonly until: number }
  | { readonly ok: false; readonly fault: "form" | "past" | "far" };

/**
 * Reads until when a message-wait node waits: a duration, or anything else that `readMoment` takes.
 * @param now epoch ms at which the wait begins
 * @param zone IANA name, in which times without a zone are meant; blank for that of the process or browser
 */
export function readWaitUntil(within: unknown, now: number, zone: string): WaitUntil {
  const until = readMoment(within, now, zone);
  if (until === null) {
    return { ok: false, fault: "form" };
  }
  const { least, most } = WAIT_RANGE;
  const wait = until - now;
  return wait < least
    ? { ok: false, fault: "past" }
    : wait > most
      ? { ok: false, fault: "far" }
      : { ok: true, until };
}
