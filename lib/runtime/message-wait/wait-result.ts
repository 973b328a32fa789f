import type { WaitKind, WaitOutcome } from "../../shared/fields/wait-fields";
import type { ReplyWords } from "../../shared/words/reply-words";
import type { ReplyChannel } from "../../store/waits/wait";
import type { WaitEnd } from "../waits/waits";

export interface WaitResult {
  readonly outcome: WaitOutcome;
  readonly for: WaitKind;
  readonly recipients: readonly string[];
  /** The service's word, such as `delivered`; null for replies, timeouts and rejected requests. */
  readonly status: string | null;
  readonly at: string;
  readonly text: string | null;
  /** The matched entry of the list of words, as typed; otherwise null. */
  readonly word: string | null;
  readonly event: unknown;
  readonly channel: ReplyChannel | null;
  readonly replaced?: true;
  readonly wrote?: readonly string[];
  readonly restored?: true;
}

const DIGITS = /^\d+$/;

export const withPlus = (number: string): string => (DIGITS.test(number) ? `+${number}` : number);

export function waitResult(end: WaitEnd, words: ReplyWords): WaitResult {
  const { what, kind, recipients, status, at, reply, replaced, wrote, restored } = end;
  // The debug sidebar shows the first fields of a folded object.
  return {
    outcome: what,
    word: reply === null ? null : (words.find(reply.text)?.word ?? null),
    text: reply?.text ?? null,
    status,
    recipients: recipients.map(withPlus),
    for: kind,
    at: new Date(at).toISOString(),
    event: reply?.event ?? null,
    channel: reply?.channel ?? null,
    ...(replaced && { replaced }),
    ...(wrote && { wrote: wrote.map(withPlus) }),
    ...(restored && { restored }),
  };
}

export function refusedEnds(
  recipients: readonly string[],
  kind: WaitKind,
  at: number,
  id: () => string,
): readonly Omit<WaitEnd, "msg">[] {
  const count = recipients.length;
  const group = count > 1 ? id() : null;
  return recipients.map((recipient, index) => ({
    what: "failed",
    recipients: [recipient],
    kind,
    status: null,
    at,
    reply: null,
    replaced: false,
    restored: false,
    sequence: group === null ? null : { id: group, index, count: index === count - 1 ? count : null },
  }));
}
