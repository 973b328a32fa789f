import type { Call } from "../engine/engine";
import { statement } from "../schema/statement";

/** ms for which a wait that is over is known, so that the same one is not begun again after an error. */
const KNOWN = 60 * 60 * 1000;
const FORGET_OVER = statement(
  "waits_forget_over",
  () => `DELETE FROM waits WHERE id IN (
      SELECT a.id FROM waits a WHERE a.begun_at < ?1 AND a.phase = 'over' AND a.open = 0 LIMIT ?2) RETURNING id`,
);
/** Waits of nodes that are gone end nowhere. */
const FORGET_ABANDONED = statement(
  "waits_forget_abandoned",
  () => `DELETE FROM waits WHERE id IN (
      SELECT a.id FROM waits a WHERE a.begun_at < ?1 AND a.until < ?1 AND a.account = ?3 LIMIT ?2) RETURNING id`,
);
const FORGET_ABANDONED_RECIPIENTS = statement(
  "waits_forget_abandoned_recipients",
  () => `DELETE FROM wait_recipients WHERE wait IN (
      SELECT a.id FROM waits a WHERE a.begun_at < ?1 AND a.until < ?1 AND a.account = ?3 LIMIT ?2) RETURNING wait`,
);
const FORGET_OLD_REPLIES = statement(
  "waits_forget_old_replies",
  () => `DELETE FROM replies WHERE id IN (
      SELECT p.id FROM replies p WHERE p.received_at < ?1 AND p.account = ?4
        AND ((p.state = 'new' AND p.wait IS NULL) OR p.received_at < ?3) LIMIT ?2) RETURNING id`,
);
const FORGET_NUMBER = statement(
  "waits_forget_number",
  () => `DELETE FROM replies WHERE id IN (
      SELECT p.id FROM replies p WHERE p.number = ?1 AND p.wait IS NULL AND p.state <> 'taken' LIMIT ?2) RETURNING id`,
);

/**
 * One slice of what nobody needs any more.
 * @param before epoch ms: what waits and replies of an account are older than is deleted whatever it is
 */
export const forgetWaits = (now: number, before: number, most: number, account: string): readonly Call[] => [
  { statement: FORGET_OVER, values: [now - KNOWN, most] },
  { statement: FORGET_ABANDONED_RECIPIENTS, values: [before, most, account] },
  { statement: FORGET_ABANDONED, values: [before, most, account] },
  { statement: FORGET_OLD_REPLIES, values: [now - KNOWN, most, before, account] },
];

/** One slice of the replies of a number, but for those that a wait has. */
export const forgetRepliesOf = (number: string, most: number): Call => ({
  statement: FORGET_NUMBER,
  values: [number, most],
});
