import type { HistoryPlace } from "../../../shared/history/history";
import type { HistoryEntry } from "../../../store/history/history-entry";
import type { HistoryFound } from "../../../store/history/history-search";
import { type ReceivedMessage, receivedCursor } from "../../../store/history/received";

/** A page of messages in both directions. */
export interface MixedPage {
  readonly messages: readonly (HistoryEntry | ReceivedMessage)[];
  /** null if this page is the last one. */
  readonly next: HistoryPlace | null;
}

export const isReceived = (message: HistoryEntry | ReceivedMessage): message is ReceivedMessage =>
  "receivedAt" in message;

/**
 * Merges messages that were sent and received, the newest first.
 * @param sent up to one more than the page holds; with `next` if there may be older ones
 * @param received up to one more than the page holds
 * @param size of the page
 */
export function newestFirst(
  sent: HistoryFound,
  received: readonly ReceivedMessage[],
  after: HistoryPlace | null,
  size: number,
): MixedPage {
  const isCut = sent.entries.length <= size && sent.next !== null;
  // Older sent messages are not known yet, so older received ones wait for the next page.
  const knownSince = isCut ? (sent.next?.[0] ?? 0) : 0;
  const messages: (HistoryEntry | ReceivedMessage)[] = [];
  let [sentCount, receivedCount] = [0, 0];
  while (messages.length < size) {
    const [out, into] = [sent.entries[sentCount], received[receivedCount]];
    const next =
      into !== undefined && into.receivedAt >= Math.max(knownSince, out?.takenAt ?? 0) ? into : (out ?? null);
    if (next === null) {
      break;
    }
    messages.push(next);
    if (next === into) receivedCount++;
    else sentCount++;
  }
  const isRest = sentCount < sent.entries.length || receivedCount < received.length || isCut;
  const lastSent = sent.entries[sentCount - 1]?.cursor ?? after?.sent ?? null;
  const lastReceived = received[receivedCount - 1];
  return {
    messages,
    next: isRest
      ? {
          sent: sentCount === sent.entries.length && isCut ? sent.next : lastSent,
          received: lastReceived === undefined ? (after?.received ?? null) : receivedCursor(lastReceived),
        }
      : null,
  };
}
