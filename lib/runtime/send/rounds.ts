import { OUTCOMES } from "../../shared/outcomes";
import type { SendResult } from "../channels/send-result";

/** A message that a node has failed to send so often without a success in between is not taken by it once more. */
export const MOST_ROUNDS = 5;

/** Counts by node, on the results of messages that failed: Node-RED copies it with the message, and nobody sees it. */
const ROUNDS = Symbol("rounds");

type Counts = Readonly<Record<string, number>>;

const countsOf = (result: unknown): Counts =>
  (typeof result === "object" && (result as { readonly [ROUNDS]?: Counts } | null)?.[ROUNDS]) || {};

/** How often a node has failed to send the message that has this value in its result property. */
export const roundsOf = (result: unknown, node: string): number => countsOf(result)[node] ?? 0;

/**
 * The result of a failure with the rounds of its message. Where it may be sent again as it is, no round is counted: a node may be wired to itself for that.
 * @param before what the message had in its result property
 */
export function withRounds(result: SendResult, before: unknown, node: string): SendResult {
  const { resend } = OUTCOMES[result.outcome];
  const counts = countsOf(before);
  const rounds = resend === "yes" ? counts : { ...counts, [node]: (counts[node] ?? 0) + 1 };
  return { ...result, [ROUNDS]: rounds } as SendResult;
}
