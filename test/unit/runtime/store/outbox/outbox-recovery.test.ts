import assert from "node:assert/strict";
import type { AccountStore } from "../../../../../lib/runtime/store/open-store";
import { endLost } from "../../../../../lib/runtime/store/outbox/outbox-recovery";
import { Outbox } from "../../../../../lib/runtime/store/outbox/outbox";
import type { ResultNode, StoredMessage } from "../../../../../lib/runtime/store/outbox/stored-message";

const [KEPT, GONE, TAKEN, LATE] = [1, 2, 3, 4];

describe("messages that may be lost", () => {
  let last = 0;
  let outbox: Outbox;
  let detach: () => void;
  let ended: number[];
  beforeEach(() => {
    ended = [];
    outbox = Outbox.of(`lost-${++last}`);
    detach = outbox.attach({});
    outbox.names.add("me");
    outbox.nodes.set("n1", {
      handOver: ({ id }: StoredMessage) => void ended.push(id),
    } as unknown as ResultNode);
    for (const id of [KEPT, GONE, TAKEN]) {
      outbox.messages.set(id, { id, node: "n1", open: 1 } as StoredMessage);
    }
  });
  afterEach(() => detach());

  const expect = (): void => {
    outbox.mayBeLost = true;
  };
  const end = (from: AccountStore): Promise<boolean> => endLost(outbox, from, () => {});
  /** A store that has some of them. */
  const place = (known: () => Promise<void> = async () => {}): AccountStore =>
    ({
      instances: { id: "me" },
      store: {
        jobs: {
          known: async () => {
            await known();
            return new Map([
              [KEPT, "me"],
              [TAKEN, "other"],
            ]);
          },
        },
      },
    }) as unknown as AccountStore;

  it("drops messages in a later session that were adopted or lost", async () => {
    expect();
    assert.equal(await end(place()), true);
    assert.deepEqual(ended, [GONE, TAKEN]);
    assert.deepEqual(
      [...outbox.messages.values()].map(({ id }) => id),
      [KEPT],
    );
    // They are looked for once.
    outbox.messages.set(LATE, { id: LATE, node: "n1", open: 1 } as StoredMessage);
    assert.equal(await end(place()), true);
    assert.equal(ended.length, 2);
  });
});
