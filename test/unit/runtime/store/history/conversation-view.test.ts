import assert from "node:assert/strict";
import { answerQuery } from "../../../../../lib/runtime/log/log-answer";
import { viewConversation } from "../../../../../lib/runtime/store/history/conversation";
import { NoNumber } from "../../../../../lib/runtime/store/history/history-view";
import { answered, newEvent, takeJob } from "../../../store/suite/store-under-test";
import { useAccountStore } from "../account-store";

const NUMBER = "41791234567";
/** Of somebody who never wrote. */
const SILENT = "41791234568";

describe("a conversation in the sidebar", () => {
  const use = useAccountStore();
  const view = (keepTexts: boolean, most = 10) => {
    const store = use();
    return viewConversation(
      { ...store, settings: { ...store.settings, keepTexts } },
      "079 123 45 67",
      most,
      "CH",
    );
  };

  beforeEach(async () => {
    const { store, account, instances } = use();
    const payload = { type: "rcs", applicationId: "x", sender: "+41791234567", content: "Hello" };
    await store.deliveries.note(account, [
      newEvent({ kind: "inbound", number: NUMBER, status: null, body: JSON.stringify(payload) }),
    ]);
    const request = {
      recipients: [NUMBER],
      operation: "sms-json",
      content: '{"messageContent":"Held back"}',
    };
    const [skipped = 0] = await takeJob(store, [request], { account, resultOwner: instances.id });
    await store.claims.claim(account, instances.id, 1);
    await store.settlements.settle(instances.id, [
      answered(skipped, { outcome: "rejected", answer: '{"fault":"OPTED_OUT"}' }),
    ]);
    await takeJob(store, [request], { account });
  });

  it("has what did not reach the person as well, and where it stands", async () => {
    const { messages, ...rest } = await view(true);
    assert.deepEqual(rest, {
      number: "+41791234567",
      keepsTexts: true,
      more: false,
      optOut: null,
    });
    assert.deepEqual(
      messages.map(({ role, content, channel, state, outcome }) => [role, content, channel, state, outcome]),
      [
        ["user", "Hello", "rcs", null, null],
        ["assistant", "", "sms", "done", "skipped"],
        ["assistant", "Held back", "sms", "waiting", null],
      ],
    );
    assert.equal(new Set(messages.map(({ id }) => id)).size, 3);
    const newest = await view(true, 1);
    assert.deepEqual(
      [newest.messages[0]?.content, newest.messages.length, newest.more],
      ["Held back", 1, true],
    );
  });

  it("says what the person does not want, and since when, and nothing of who has no conversation", async () => {
    const { store, account } = use();
    const before = Date.now();
    await store.optOuts(account).add([NUMBER, SILENT], "advertisement", "inbound");
    const { optOut } = await view(true);
    assert.equal(optOut?.scope, "advertisement");
    assert.ok(Date.parse(optOut?.since ?? "") >= before);
    assert.equal((await view(false)).optOut, null, "without a conversation");
  });

  it("says of a test, and of what the simulator had, that it was not sent", async () => {
    const { store, account, instances } = use();
    for (const answer of ['{"statusCode":2000,"test":true}', '{"statusCode":2000,"simulated":true}']) {
      const [sent = 0] = await takeJob(store, [{ recipients: [NUMBER] }], {
        account,
        resultOwner: instances.id,
      });
      await store.claims.claim(account, instances.id, 9);
      await store.settlements.settle(instances.id, [answered(sent, { answer })]);
    }
    const { messages } = await view(true);
    assert.deepEqual(
      messages.slice(-2).map(({ outcome, test, simulated }) => [outcome, test, simulated]),
      [
        ["sent", true, false],
        ["sent", false, true],
      ],
    );
    assert.deepEqual(
      [messages[0]?.test, messages[0]?.simulated],
      [false, false],
      "what the person wrote is neither",
    );
  });

  it("says by message-log that there are older ones where it has the newest 1,000 of 1,500", async () => {
    const { store, account, instances } = use();
    const requests = Array.from({ length: 1_500 }, () => ({ recipients: [SILENT] }));
    const sent = await takeJob(store, requests, { account, resultOwner: instances.id });
    await store.claims.claim(account, instances.id, 2_000);
    await store.settlements.settle(
      instances.id,
      sent.map((id) => answered(id)),
    );
    const asked = { kind: "conversation", number: SILENT, from: undefined, limit: 1_000 } as const;
    const { count, more } = await answerQuery(store, account, asked, "UTC", Date.now());
    assert.deepEqual([count, more], [1_000, true]);
  });

  it("is read by message-log when its turn comes, however many messages wait for theirs", async () => {
    const { store, account } = use();
    let end = (): void => {};
    const search = store.history.turns.take(() => new Promise<void>((ended) => (end = ended)));
    const asked = { kind: "conversation", number: NUMBER, from: undefined, limit: 10 } as const;
    const order: string[] = [];
    const reads = Array.from({ length: 30 }, async () => {
      await answerQuery(store, account, asked, "UTC", Date.now());
      order.push("read");
    });
    // Searches are read in their order, so without turns the conversations came first.
    await store.history.search({ account }, null, 1);
    order.push("searched");
    end();
    await Promise.all([search, ...reads]);
    assert.deepEqual([order[0], order.length], ["searched", 31]);
  });

  it("is empty where the account keeps no texts", async () => {
    assert.deepEqual(await view(false), {
      number: "+41791234567",
      keepsTexts: false,
      messages: [],
      more: false,
      optOut: null,
    });
  });

  it("needs a whole number", async () => {
    await assert.rejects(viewConversation(use(), "Ada", 10, ""), NoNumber);
  });
});
