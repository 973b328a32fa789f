import { WAIT_RANGE } from "../fields/wait-fields";
import { readMoment } from "./read-moment";

export type WaitUntil =
  | { readonly ok: true; readonly until: number }
  | { readonly ok: false; readonly fault: "form" | "past" | "far" };

/** @param now epoch ms at the start @param zone IANA name, or blank for that of the process */
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
