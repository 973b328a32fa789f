import type { PendingReply, Reported, ReportedWait, SilentWaits } from "../../../store/waits/wait";
import { ByNode } from "./by-node";
import type { End, MemoryReply, MemoryWait, WaitingRecipient, WaitScope } from "./memory-wait";

/** What nodes have to fetch of their waits, a page at a time, in the order in which it came. */
export class NodePages {
  readonly reported = new ByNode<WaitingRecipient, WaitingRecipient>();
  readonly silent = new ByNode<WaitScope, WaitScope>();
  /** Replies by their ids. */
  readonly pending = new ByNode<number, MemoryReply>();

  get size(): number {
    return this.reported.size + this.silent.size + this.pending.size;
  }

  /** At most `most` recipients. */
  reportedOf(nodes: readonly string[], most: number): readonly ReportedWait[] {
    const byWait = new Map<MemoryWait, WaitingRecipient[]>();
    let found = 0;
    for (const recipient of this.reported.of(nodes)) {
      if (found++ === most) {
        break;
      }
      const recipients = byWait.get(recipient.wait) ?? [];
      byWait.set(recipient.wait, recipients);
      recipients.push(recipient);
    }
    return [...byWait].map(([wait, recipients]) => ({
      wait: wait.asOpen,
      reported: recipients.map(({ place, number, end }) => {
        const { what, status, at, reply } = end as End;
        return { place, number, what: what as Reported, status, at, reply: reply?.body ?? null };
      }),
    }));
  }

  /** Whole waits and groups, of at most `most` waits where there are more. */
  silentOf(nodes: readonly string[], most: number): readonly SilentWaits[] {
    const page: SilentWaits[] = [];
    let found = 0;
    for (const scope of this.silent.of(nodes)) {
      const waits = [...scope.waits].flatMap(silentWait);
      if (waits.length > 0) {
        page.push({ waits });
        found += waits.length;
      }
      if (found >= most) {
        break;
      }
    }
    return page;
  }

  repliesOf(nodes: readonly string[], most: number): readonly PendingReply[] {
    const page: PendingReply[] = [];
    for (const reply of this.pending.of(nodes)) {
      if (page.length === most) {
        break;
      }
      page.push(reply.pendingOf(reply.recipient as WaitingRecipient));
    }
    return page;
  }
}

/** Those of whom nothing was reported, as far as that has not left. */
function silentWait(wait: MemoryWait): SilentWaits["waits"] {
  const silent = wait.recipients.filter(({ end, hasLeft }) => end?.what === "silent" && !hasLeft);
  return silent.length === 0
    ? []
    : [
        {
          wait: wait.asOpen,
          numbers: silent.map(({ number }) => number),
          places: silent.map(({ place }) => place),
          replaced: silent.some(({ replaced }) => replaced),
          wrote: silent.filter(({ wrote }) => wrote).map(({ number }) => number),
        },
      ];
}
