import type { Call } from "../engine/engine";
import { call } from "../engine/query";
import { deleteSlice } from "../schema/statement";

/** ms for which a wait that is over is known, so that the same one is not begun again after an error. */
const KNOWN = 60 * 60 * 1000;
const FORGET_OVER = deleteSlice(
  "waits_forget_over",
  "waits",
  "id",
  "o.phase = 'over' AND o.open = 0 AND o.begun_at < ?1 ORDER BY o.begun_at",
);
/** Replies that no wait has taken within the time in which one may begin that wants them. */
const FORGET_UNCLAIMED = deleteSlice(
  "waits_forget_unclaimed",
  "replies",
  "id",
  "o.state = 'new' AND o.wait IS NULL AND o.received_at < ?1 ORDER BY o.received_at",
);
/** Those of a number, but for those that a wait has. */
export const REPLIES_OF_NUMBER = deleteSlice(
  "waits_forget_number",
  "replies",
  "id",
  "o.number = ?1 AND o.wait IS NULL AND o.state <> 'taken'",
);

/** One slice of what nobody needs any more, soon after it is over. */
export const forgetWaits = (now: number, most: number): readonly Call[] => [
  call(FORGET_OVER, now - KNOWN, most),
  call(FORGET_UNCLAIMED, now - KNOWN, most),
];
