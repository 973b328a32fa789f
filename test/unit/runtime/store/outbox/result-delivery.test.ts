import assert from "node:assert/strict";
import { LiveMessages } from "../../../../../lib/runtime/store/outbox/live-messages";
import type { AccountStore } from "../../../../../lib/runtime/store/open-store";
import { ResultDelivery } from "../../../../../lib/runtime/store/outbox/result-delivery";
import type { ResultNode, StoredMessage } from "../../../../../lib/runtime/store/outbox/stored-message";
import type { SettledPart, StoredJob } from "../../../../../lib/store/recovery";

const NODE = "n1";
let last = 0;

/** A delivery of one settled result, whose job has this taker. */
function setUp({ taker = "me", mayLeave = true, snapshot = '{"payload":"hello"}', earlier = 0 } = {}) {
  const account = `account-${++last}`;
  const part: SettledPart = {
    id: 7,
    job: 1,
    jobKey: `job-${last}`,
    part: 0,
    state: "settled",
    operation: "sms.simple",
    clientMessageId: null,
    transferId: null,
    attempts: 1,
    outcome: "sent",
    answer: null,
    recipients: 1,
    numbers: ["41790000001"],
  };
  const job: StoredJob = {
    id: 1,
    key: part.jobKey,
    account,
    node: NODE,
    taker,
    channel: "sms",
    requests: 1 + earlier,
    open: 1,
    snapshot,
  };
  const emitted: string[] = [];
  const restored: StoredJob[] = [];
  const node: ResultNode = {
    emit: (_message, result) => void emitted.push(`${result.recipients} ${result.restored}`),
    restore: (stored) => {
      restored.push(stored);
      return {
        key: stored.key,
        account,
        node: NODE,
        test: false,
        open: 1,
        parts: 1,
        late: 0,
        divided: false,
        prepared: new Map(),
      };
    },
    waiting: () => {},
    trouble: () => {},
    lose: () => {},
    handOver: () => {},
  };
  const live = LiveMessages.of(account);
  live.nodes.set(NODE, node);
  const marks: number[] = [];
  const place = {
    account,
    instances: { id: "me", mayLeave },
    store: {
      recovery: {
        settled: async () => [part],
        job: async () => job,
        emittedParts: async () => (earlier === 0 ? [] : [{ ...part, id: 6, numbers: ["41790000002"] }]),
      },
    },
  } as unknown as AccountStore;
  const delivery = new ResultDelivery(place, live, new Map([[NODE, node]]), {
    open: async (job) => job,
    emitted: (request) => void marks.push(request),
    failed: (error) => assert.fail(error),
  });
  return { delivery, live, emitted, restored, marks, key: part.jobKey, account };
}

describe("delivery of results", () => {
  it("brings a result from before a restart to its node, and says so", async () => {
    const { delivery, emitted, marks } = setUp();
    await delivery.drain(NODE);
    assert.deepEqual([emitted, marks], [["41790000001 true"], [7]]);
  });

  it("brings the result of a live message to the node as it came", async () => {
    const { delivery, live, emitted, restored, key, account } = setUp();
    const message: StoredMessage = {
      key,
      account,
      node: NODE,
      test: false,
      open: 1,
      parts: 1,
      late: 0,
      divided: false,
      prepared: new Map(),
    };
    live.messages.set(key, message);
    await delivery.drain(NODE);
    assert.deepEqual([emitted, restored.length, live.messages.size], [["41790000001 false"], 0, 0]);
  });

  for (const adopted of [true, false]) {
    it(`brings ${adopted ? "the earlier results of a message whose process has ended once more" : "no result twice of a message whose rest leaves after it was done"}`, async () => {
      const { delivery, live, emitted } = setUp({ earlier: 1 });
      if (adopted) {
        live.adopted.add(1);
      }
      await delivery.drain(NODE);
      assert.deepEqual(emitted, [...(adopted ? ["41790000002 true"] : []), "41790000001 true"]);
    });
  }

  it("leaves a message alone that another process has adopted since the page was read", async () => {
    const { delivery, emitted, restored, marks } = setUp({ taker: "another" });
    await delivery.drain(NODE);
    assert.deepEqual([emitted, restored, marks], [[], [], []]);
  });

  it("emits nothing while the process does not know whether the others call it dead", async () => {
    const { delivery, emitted, marks } = setUp({ mayLeave: false });
    await delivery.drain(NODE);
    assert.deepEqual([emitted, marks], [[], []]);
  });
});
