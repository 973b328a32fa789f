import assert from "node:assert/strict";
import { viewOf } from "../../../../lib/runtime/simulator/simulator-actions";
import { EXCERPT } from "../../../../lib/shared/simulator-panel";

const TEXT = "Dear Ms Miller, your code is 4711";
const message = {
  transferId: "0123456789abcdef0123",
  at: 1,
  channel: "rcs",
  recipients: ["41791234567", "41791234568"],
  content: TEXT,
  fields: { messageContent: TEXT, clientMessageId: "Miller" },
  test: false,
};
const account = (content: string, fields: object = message.fields) =>
  ({
    messages: [{ ...message, content, fields }],
    webhooks: [{ kind: "inbound" }],
  }) as unknown as Parameters<typeof viewOf>[0];

describe("view of a simulated account", () => {
  it("tells those who may only read that there is a message, and nothing that was written", () => {
    const { transferId, at, channel, test } = message;
    const shown = { transferId, at, channel, who: "+4179…567", count: 2, text: null, test };
    const view = viewOf(account(TEXT), false);
    assert.deepEqual(view, { messages: [shown], hears: { inbound: true, status: false } });
    const card = viewOf(account("", { rcsPayload: { card: { title: TEXT } } }), false);
    for (const shown of [view, card]) assert.doesNotMatch(JSON.stringify(shown), /Miller|4711|91234/);
  });

  it("tells the others the beginning of the text, or of a title", () => {
    const textOf = (content: string, fields?: object) =>
      viewOf(account(content, fields), true).messages[0]?.text;
    assert.equal(textOf(TEXT), TEXT);
    assert.equal(textOf("", { card: { title: TEXT } }), TEXT);
    const longest = "x".repeat(EXCERPT);
    assert.equal(textOf(longest), longest);
    assert.equal(textOf(`${longest}x`), `${longest}…`);
    assert.equal(textOf(`${longest.slice(1)}😀`), `${longest.slice(1)}…`);
    assert.equal(textOf("", {}), "");
  });
});
