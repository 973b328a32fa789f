import assert from "node:assert/strict";
import { isReceived, newestFirst } from "../../../../../lib/runtime/store/history/newest-first";
import type { HistoryPlace } from "../../../../../lib/shared/history/history";
import type { HistoryEntry } from "../../../../../lib/store/history/history-entry";
import type { ReceivedMessage } from "../../../../../lib/store/history/received";

const sent = (takenAt: number): HistoryEntry => ({ takenAt, cursor: [takenAt, takenAt, 0] }) as never;
const received = (receivedAt: number): ReceivedMessage => ({
  ...{ event: receivedAt, receivedAt, number: null, simulated: false, body: null },
});

describe("newestFirst", () => {
  const SENT = [9, 7, 5, 4];
  const RECEIVED = [8, 6, 3, 2, 1];

  /** Pages as the store gives them: up to one entry more than a page holds. */
  const pageAfter = (after: HistoryPlace | null, size: number) =>
    newestFirst(
      {
        entries: SENT.filter((at) => at < (after?.sent?.[0] ?? 10))
          .slice(0, size + 1)
          .map(sent),
        next: null,
        looked: 0,
      },
      RECEIVED.filter((at) => at < (after?.received?.[0] ?? 10))
        .slice(0, size + 1)
        .map(received),
      after,
      size,
    );
  const timesOf = (messages: readonly (HistoryEntry | ReceivedMessage)[]): readonly number[] =>
    messages.map((each) => (isReceived(each) ? each.receivedAt : each.takenAt));

  it("gives all messages of both directions page by page, each once", () => {
    for (const size of [1, 2, 3, 4, 5, 9, 20]) {
      const seen: number[] = [];
      let after: HistoryPlace | null = null;
      do {
        const page = pageAfter(after, size);
        assert.ok(page.messages.length > 0, "an empty page");
        seen.push(...timesOf(page.messages));
        after = page.next;
      } while (after !== null);
      assert.deepEqual(seen, [9, 8, 7, 6, 5, 4, 3, 2, 1], `pages of ${size}`);
    }
  });

  it("keeps received messages for later that are older than where the search for sent ones stopped", () => {
    const found = { entries: [sent(9)], next: [5, 5, 0], looked: 10_000 } as const;
    const page = newestFirst(found, RECEIVED.map(received), null, 10);
    assert.deepEqual(timesOf(page.messages), [9, 8, 6]);
    assert.deepEqual(page.next, { sent: [5, 5, 0], received: [6, 6] });
  });
});
