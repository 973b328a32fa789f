import assert from "node:assert/strict";
import { viewOf } from "../../../../lib/runtime/simulator/simulator-view";
import { LONGEST_SHOWN } from "../../../../lib/shared/simulator-panel";

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
const reply = {
  at: 2,
  channel: "rcs",
  sender: "+41791234567",
  content: "Miller here",
  mediaId: "51a51a51-0000-4000-8000-00000000a001",
  tapped: null,
};
const suggestion = {
  kind: "reply",
  displayText: "Miller agrees",
  data: "4711",
  action: null,
  target: null,
  card: null,
};
type Account = Parameters<typeof viewOf>[0];
const account = (content: string, fields: object = message.fields, more: object = {}) =>
  ({
    messages: [{ ...message, content, fields }],
    received: [],
    webhooks: [{ kind: "inbound" }],
    faultPlan: [],
    templates: [{ templateName: "welcome", templateLocale: "de", text: TEXT }],
    suggestions: () => [],
    ...more,
  }) as unknown as Account;

describe("view of a simulated account", () => {
  it("hides texts from users who may only read", () => {
    const { transferId, at, channel, test } = message;
    const who = "+4179…567";
    const blank = { number: null, text: null };
    const shown = {
      transferId,
      at,
      channel,
      spoken: false,
      who,
      ...blank,
      count: 2,
      people: [],
      cards: [],
      suggestions: [],
      test,
    };
    const heard = { at: 2, channel, who, ...blank, picture: true, tapped: false };
    const content = { title: TEXT };
    const card = {
      rcsPayload: { RCSMessage: { richcardMessage: { message: { generalPurposeCard: { content } } } } },
    };
    const view = viewOf(account(TEXT, card, { received: [reply], suggestions: () => [suggestion] }), false);
    assert.deepEqual(view, {
      messages: [shown],
      replies: [heard],
      nextAnswer: null,
      answers: view.answers,
      templates: [{ name: "welcome", locale: "de" }],
      hears: { inbound: true, status: false },
    });
    assert.doesNotMatch(JSON.stringify(view), /Miller|4711|91234/);
  });

  it("tells the others the text, and the complete number in the spelling of events", () => {
    const shown = (content: string) => viewOf(account(content), true).messages[0];
    assert.equal(shown(TEXT)?.text, TEXT);
    assert.equal(shown(TEXT)?.number, "+41791234567");
    assert.deepEqual(shown(TEXT)?.people, ["+41791234567", "+41791234568"]);
    assert.equal(shown("")?.text, "");
    const longest = "x".repeat(LONGEST_SHOWN);
    assert.equal(shown(longest)?.text, longest);
    assert.equal(shown(`${longest}x`)?.text, `${longest}…`);
    const [heard] = viewOf(account(TEXT, {}, { received: [reply] }), true).replies;
    assert.deepEqual([heard?.number, heard?.text, heard?.picture], ["+41791234567", "Miller here", true]);
  });
});
