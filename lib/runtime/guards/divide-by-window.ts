import { inSlices } from "../../shared/async/in-slices";
import type { OperationId } from "../../gateway/contract/operations";
import type { RuledRecipients } from "./divide-by-hours";
import { blockVerdictOf } from "./block-verdict-of";
import type { HeldRecipients } from "./recipient-guard";

/** ms for which people can be written to freely after their last message. */
const OPEN_FOR = 24 * 3_600_000;

/** Whom the window is open for, and when they last wrote. */
export interface WindowedRecipients {
  /** In the order in which they came: recipients of the same rules and operation that follow each other are a group. */
  readonly leaving: readonly RuledRecipients[];
  /** Digits of those who are inside the window, in order. */
  readonly inside: readonly string[];
  /** The same of those who are outside. */
  readonly outside: readonly string[];
}

/**
 * Whether somebody can be written to freely.
 * @param last epoch ms of the last message from there; undefined where nobody knows of any
 * @param at epoch ms
 */
export const isInside = (last: number | undefined, at: number): boolean =>
  last !== undefined && at - last < OPEN_FOR;

/**
 * Divides recipients by whether they have written within 24 hours before their request leaves, as far as the time of that is known: a
 * message that waits until tomorrow does not reach those who wrote today.
 * @param last epoch ms of their last messages
 * @param now epoch ms
 * @param otherwise operation for those outside; null where they do not leave
 */
export async function divideByWindow(
  groups: readonly RuledRecipients[],
  last: ReadonlyMap<string, number>,
  now: number,
  otherwise: OperationId | null,
): Promise<WindowedRecipients> {
  const leaving: RuledRecipients[] = [];
  const inside: string[] = [];
  const outside: string[] = [];
  for (const { recipients, rules } of groups) {
    const at = Math.max(now, rules.scheduled ?? 0, rules.opens ?? 0);
    let run: string[] = [];
    let runIsInside: boolean | null = null;
    await inSlices(recipients, (slice) => {
      for (const recipient of slice) {
        const isIn = isInside(last.get(recipient), at);
        (isIn ? inside : outside).push(recipient);
        if (!isIn && otherwise === null) {
          continue;
        }
        if (runIsInside !== isIn) {
          runIsInside = isIn;
          run = [];
          leaving.push(
            isIn || otherwise === null
              ? { recipients: run, rules }
              : { recipients: run, rules, operation: otherwise },
          );
        }
        run.push(recipient);
      }
    });
  }
  return { leaving, inside, outside };
}

/** Those who are not sent to because they are outside the window. @param zone IANA name, in which times are said */
export const heldOutside = (
  outside: readonly string[],
  last: ReadonlyMap<string, number>,
  zone: string,
): HeldRecipients => {
  const contacts = outside.map((number) => ({ number, at: last.get(number) ?? null }));
  return { recipients: outside, verdict: blockVerdictOf({ fault: "SESSION_EXPIRED", contacts, zone }) };
};
