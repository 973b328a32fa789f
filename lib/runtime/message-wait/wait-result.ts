import type { WaitKind, WaitOutcome } from "../../shared/fields/wait-fields";
import type { ReplyWords } from "../../shared/words/reply-words";
import type { ReplyChannel } from "../../store/waits/wait";
import type { WaitEnd } from "../waits/waits";

/** What a message-wait node writes into the message: what was reported of one recipient, or of whom nothing was. Part of the message contract. */
export interface WaitResult {
  readonly outcome: WaitOutcome;
  /** What was waited for. */
  readonly for: WaitKind;
  /** Such as `+41790000001`; those of a request that was not sent, as they were given. */
  readonly recipients: readonly string[];
  /** The service's word, such as `delivered`; null for replies, silence, and a request that was not accepted. */
  readonly status: string | null;
  /** ISO 8601 in UTC: when it happened, or when the wait ended. */
  readonly at: string;
  /** Of a reply, else null. */
  readonly text: string | null;
  /** The entry of the list of words that the reply is, as it was typed; else null. */
  readonly word: string | null;
  /** Of a reply: the event in the service's own field names; else null. */
  readonly event: unknown;
  /** By which a reply came, else null. */
  readonly channel: ReplyChannel | null;
  /** Present where a newer question to the same number took the place of this one. */
  readonly replaced?: true;
  /** Present where nothing was heard in time, but something else was: the numbers of those who wrote it. */
  readonly wrote?: readonly string[];
  /** Present after a restart of Node-RED: the message may have left the node before. */
  readonly restored?: true;
}

const DIGITS = /^\d+$/;

/** A number as people and send nodes write it. What is none stays as it is. */
export const withPlus = (number: string): string => (DIGITS.test(number) ? `+${number}` : number);

/** @param words which replies the node waits for */
export function waitResult(end: WaitEnd, words: ReplyWords): WaitResult {
  const { what, kind, recipients, status, at, reply, replaced, wrote, restored } = end;
  // The debug sidebar shows the first fields of an object that is not unfolded.
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

/** Ends of a request that was not accepted: one for each recipient, which failed at once. @param at epoch ms */
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
