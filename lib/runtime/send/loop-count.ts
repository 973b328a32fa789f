import { OUTCOMES } from "../../shared/outcomes";
import type { SendResult } from "../channels/send-result";

/** A node refuses a message after this number of failures without a success. */
export const MAX_LOOPS = 5;

/** Counts by node on failed results. Node-RED copies the symbol with the message. */
const LOOPS = Symbol("loop-count");

type Counts = Readonly<Record<string, number>>;

const getCounts = (result: unknown): Counts =>
  (typeof result === "object" && (result as { readonly [LOOPS]?: Counts } | null)?.[LOOPS]) || {};

export const countLoops = (result: unknown, node: string): number => getCounts(result)[node] ?? 0;

/** Counts a failure unless the message may be sent again unchanged: a node may be wired to itself for that. */
export function withLoops(result: SendResult, before: unknown, node: string): SendResult {
  const { resend } = OUTCOMES[result.outcome];
  const counts = getCounts(before);
  const loops = resend === "yes" ? counts : { ...counts, [node]: (counts[node] ?? 0) + 1 };
  return { ...result, [LOOPS]: loops } as SendResult;
}
