import type { Call } from "../engine/engine";
import { statement } from "../schema/statement";

/** ms for which a wait that is over is known, so that the same one is not begun again after an error. */
const KNOWN = 60 * 60 * 1000;
const FORGET_OVER = statement(
  "waits_forget_over",
  () => `DELETE FROM waits WHERE id IN (
      SELECT a.id FROM waits a WHERE a.phase = 'over' AND a.open = 0 AND a.begun_at < ?1
      ORDER BY a.begun_at LIMIT ?2) RETURNING id`,
);
/** Replies that no wait has taken within the time in which one may begin that wants them. */
const FORGET_UNCLAIMED = statement(
  "waits_forget_unclaimed",
  () => `DELETE FROM replies WHERE id IN (
      SELECT p.id FROM replies p WHERE p.state = 'new' AND p.wait IS NULL AND p.received_at < ?1
      ORDER BY p.received_at LIMIT ?2) RETURNING id`,
);
const FORGET_NUMBER = statement(
  "waits_forget_number",
  () => `DELETE FROM replies WHERE id IN (
      SELECT p.id FROM replies p WHERE p.number = ?1 AND p.wait IS NULL AND p.state <> 'taken' LIMIT ?2) RETURNING id`,
);

/** One slice of what nobody needs any more, soon after it is over. */
export const forgetWaits = (now: number, most: number): readonly Call[] => [
  { statement: FORGET_OVER, values: [now - KNOWN, most] },
  { statement: FORGET_UNCLAIMED, values: [now - KNOWN, most] },
];

/** One slice of the replies of a number, but for those that a wait has. */
export const forgetRepliesOf = (number: string, most: number): Call => ({
  statement: FORGET_NUMBER,
  values: [number, most],
});
