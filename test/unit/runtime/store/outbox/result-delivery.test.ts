import assert from "node:assert/strict";
import { LeftResults } from "../../../../../lib/gateway/queue/stored/left-results";
import { Outbox } from "../../../../../lib/runtime/store/outbox/outbox";
import type { AccountStore } from "../../../../../lib/runtime/store/open-store";
import { ResultDelivery } from "../../../../../lib/runtime/store/outbox/result-delivery";
import type { ResultNode, StoredMessage } from "../../../../../lib/runtime/store/outbox/stored-message";
import { setImmediate } from "node:timers/promises";
import { rulesOf } from "../../../../../lib/store/guards/request-rules";
import type { SettledPart, StoredJob } from "../../../../../lib/store/jobs/recovery";
import type { ClaimedRequest } from "../../../../../lib/store/jobs/request-claims";
import { SENT } from "../../../gateway/queue/queue-fixture";

const NODE = "n1";
let last = 0;

const messageOf = (id: number, account: string, parts = 1): StoredMessage => ({
  ...{ id, account, node: NODE, parts, open: 1, late: 0 },
  ...{ test: false, divided: false, checked: null, contents: null, isWriting: false },
});

/** A delivery of one settled result, whose job has this result owner. */
function setUp({ resultOwner = "me", mayLeave = true, snapshot = '{"payload":"hello"}', earlier = 0 } = {}) {
  const account = `account-${++last}`;
  const part: SettledPart = {
    id: 7,
    job: 1,
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
    takenAt: 0,
    id: 1,
    account,
    node: NODE,
    resultOwner,
    channel: "sms",
    requests: 1 + earlier,
    open: 1,
    snapshot,
  };
  const emitted: string[] = [];
  const restored: StoredJob[] = [];
  const groups: number[] = [];
  const node: ResultNode = {
    emit: (_message, result) => void emitted.push(`${result.recipients} ${result.restored}`),
    restore: (stored) => {
      restored.push(stored);
      return messageOf(stored.id, account, 1 + earlier);
    },
    regroup: (_message, count) => void groups.push(count),
    trouble: () => {},
    handOver: () => {},
  };
  const live = Outbox.of(account);
  const left = new LeftResults();
  live.nodes.set(NODE, node);
  live.names.add("me");
  const request: ClaimedRequest = {
    ...{
      id: 7,
      job: 1,
      resultOwner: "me",
      node: NODE,
      part: 0,
      operation: part.operation,
    },
    ...{
      priority: 0,
      attempts: 0,
      clientMessageId: null,
      content: "{}",
      recipients: ["41790000001"],
      held: [],
    },
    rules: rulesOf(undefined),
  };
  const marks: number[] = [];
  const asked: string[] = [];
  const pages = [[part]];
  const place = {
    account,
    instances: { id: "me", mayLeave },
    store: {
      engine: { place: "nowhere" },
      recovery: {
        settled: async (_account: string, _resultOwner: string, nodes: readonly string[]) => {
          asked.push(`settled ${nodes}`);
          return pages.shift() ?? [];
        },
        job: async (id: number) => {
          asked.push(`job ${id}`);
          return job;
        },
        jobsOf: async (ids: readonly number[]) => {
          asked.push(`jobs ${ids}`);
          return new Map(ids.map((id) => [id, job]));
        },
        openParts: async () => 1,
      },
    },
  } as unknown as AccountStore;
  const open = (): ResultDelivery =>
    new ResultDelivery(place, live, left, {
      emitted: (request) => void marks.push(request),
      failed: (error) => assert.fail(error),
    });
  return {
    delivery: open(),
    open,
    live,
    request,
    emitted,
    restored,
    groups,
    marks,
    asked,
    pages,
    part,
    id: part.job,
    account,
  };
}

describe("delivery of results", () => {
  it("emits a result from before a restart, marked as restored", async () => {
    const { delivery, emitted, marks } = setUp();
    await delivery.scan([NODE]);
    assert.deepEqual([emitted, marks], [["41790000001 true"], [7]]);
  });

  it("brings the result of a live message to the node as it came", async () => {
    const { delivery, live, emitted, restored, id, account } = setUp();
    live.messages.set(id, messageOf(id, account));
    await delivery.scan([NODE]);
    assert.deepEqual([emitted, restored.length, live.messages.size], [["41790000001 false"], 0, 0]);
  });

  it("keeps the sensitive text of recipients that become requests of their own", () => {
    const { delivery, live, id, account, request } = setUp();
    const contents = new Map([[request.part, "secret"]]);
    live.messages.set(id, { ...messageOf(id, account), contents });
    delivery.divided(request, [4, 5]);
    assert.deepEqual([contents.get(4), contents.get(5)], ["secret", "secret"]);
  });

  it("emits remaining results after a restart as a group of their own", async () => {
    const { delivery, emitted, groups } = setUp({ earlier: 1 });
    await delivery.scan([NODE]);
    assert.deepEqual([emitted, groups], [["41790000001 true"], [1]]);
  });

  it("brings nothing again that left from the account of before a deploy and is not marked yet", async () => {
    const { delivery, open, emitted, pages, part } = setUp();
    await delivery.scan([NODE]);
    const successor = open();
    pages.push([part]);
    await successor.scan([NODE]);
    assert.equal(emitted.length, 1);
    // Its page was read before the mark was written.
    pages.push([part]);
    const reading = successor.scan([NODE]);
    delivery.marked([7]);
    await reading;
    assert.equal(emitted.length, 1);
    pages.push([part]);
    await successor.scan([NODE]);
    assert.equal(emitted.length, 2, "no longer known to have left");
  });

  it("lets an answer to a message from before a restart leave from the node that runs now, whoever was attached when it was sent", async () => {
    const { delivery, live, request, emitted, marks } = setUp();
    const [node] = live.nodes.values();
    live.nodes.clear();
    delivery.settled(request, SENT, "me", 0);
    await setImmediate();
    assert.deepEqual([emitted, marks], [[], []], "no node runs");
    live.attachNode(NODE, node as ResultNode);
    delivery.settled(request, SENT, "me", 0);
    await setImmediate();
    assert.deepEqual([emitted, marks], [["41790000001 true"], [7]]);
  });

  it("leaves a message alone that another process has adopted since the page was read", async () => {
    const { delivery, emitted, restored, marks } = setUp({ resultOwner: "another" });
    await delivery.scan([NODE]);
    assert.deepEqual([emitted, restored, marks], [[], [], []]);
  });

  it("emits nothing while the process does not know whether the others call it dead", async () => {
    const { delivery, emitted, marks } = setUp({ mayLeave: false });
    await delivery.scan([NODE]);
    assert.deepEqual([emitted, marks], [[], []]);
  });
});
