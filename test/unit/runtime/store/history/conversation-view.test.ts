import assert from "node:assert/strict";
import { viewConversation } from "../../../../../lib/runtime/store/history/conversation";
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

  it("includes messages that did not arrive, with their state", async () => {
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

  it("shows the opt-out of a recipient with a conversation only", async () => {
    const { store, account } = use();
    const before = Date.now();
    await store.optOuts(account).add([NUMBER, SILENT], "advertisement", "inbound");
    const { optOut } = await view(true);
    assert.equal(optOut?.scope, "advertisement");
    assert.ok(Date.parse(optOut?.since ?? "") >= before);
    assert.equal((await view(false)).optOut, null, "without a conversation");
  });

  it("stays empty when the account stores no texts", async () => {
    assert.deepEqual(await view(false), {
      number: "+41791234567",
      keepsTexts: false,
      messages: [],
      more: false,
      optOut: null,
    });
  });
});
