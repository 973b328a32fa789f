import assert from "node:assert/strict";
import type { Incoming } from "../../../../simulator/index";
import { pluck, useSimulator, useWebhookServer } from "../../../support/simulator";

const reply = (displayText: string, data: string) => ({ reply: { displayText, postback: { data } } });
const action = (displayText: string, does: object, data?: string) => ({
  action: { displayText, ...does, ...(data !== undefined && { postback: { data } }) },
});
const call = { dialerAction: { dialPhoneNumber: { phoneNumber: "+41445550100" } } };
const open = { urlAction: { openUrl: { url: "https://www.example.com/" } } };
const card = (title: string, ...suggestions: object[]) => ({
  title,
  ...(suggestions.length > 0 && { suggestions }),
});

const CAROUSEL = {
  suggestedChipList: { suggestions: [reply("Neither", "none"), action("Page", open)] },
  richcardMessage: {
    message: {
      generalPurposeCardCarousel: {
        layout: { cardWidth: "SMALL_WIDTH" },
        content: [
          card("Monday", reply("Book", "mon")),
          card("Never"),
          card("Tuesday", reply("Book", "tue"), action("Call", call, "called")),
        ],
      },
    },
  },
};
const CARD = {
  richcardMessage: {
    message: {
      generalPurposeCard: {
        layout: { cardOrientation: "VERTICAL" },
        content: card("Table", reply("Yes", "")),
      },
    },
  },
};
const RECIPIENT = "+41791234567";

describe("simulator: suggestions of RCS messages", () => {
  const sim = useSimulator();
  const webhook = useWebhookServer();
  before(() => void sim.main.registerWebhook({ kind: "inbound", url: webhook.url("/inbound") }));

  async function sent(RCSMessage: object): Promise<string> {
    const rcsPayload = { RCSMessage, messageContact: { userContact: RECIPIENT } };
    const answer = await sim.send("rcs", { recipient: RECIPIENT, rcsPayload });
    assert.equal(answer.httpStatus, 201);
    return sim.main.messages.at(-1)?.transferId ?? "";
  }
  const tap = async (transferId: string, suggestion: number): Promise<void> => {
    sim.main.receive({ event: "tap", transferId, suggestion });
    await sim.settled();
  };

  it("list cards in order, then the suggestions below", async () => {
    const transferId = await sent(CAROUSEL);
    assert.deepEqual(
      pluck(sim.main.suggestions(transferId), "card", "kind", "displayText", "data", "action", "target"),
      [
        [0, "reply", "Book", "mon", null, null],
        [2, "reply", "Book", "tue", null, null],
        [2, "action", "Call", "called", "dialPhoneNumber", "+41445550100"],
        [null, "reply", "Neither", "none", null, null],
        [null, "action", "Page", null, "openUrl", "https://www.example.com/"],
      ],
    );
    assert.deepEqual(pluck(sim.main.suggestions(await sent(CARD)), "card", "displayText", "data"), [
      [0, "Yes", ""],
    ]);
    assert.deepEqual(sim.main.suggestions(await sent({ textMessage: "Hello" })), []);
    assert.deepEqual(sim.main.suggestions("gone"), []);
  });

  it("give the message of a tapped reply, with its postback data", async () => {
    await tap(await sent(CAROUSEL), 1);
    assert.deepEqual(webhook.events, [
      {
        type: "rcs",
        applicationId: sim.credentials.applicationId,
        sender: RECIPIENT,
        user: { displayName: RECIPIENT },
        recipient: "+999570000001",
        content: "Book",
        suggestedResponse: { response: reply("Book", "tue") },
      },
    ]);
  });

  it("give the message of a tapped action, where it has postback data", async () => {
    const transferId = await sent(CAROUSEL);
    await tap(transferId, 2);
    const postback = { data: "called" };
    assert.deepEqual(pluck(webhook.events, "content", "suggestedResponse"), [
      ["Call", { response: { action: { displayText: "Call", postback } } }],
    ]);
    assert.throws(() => sim.main.receive({ event: "tap", transferId, suggestion: 4 }), /no postback/);
    assert.throws(() => sim.main.receive({ event: "tap", transferId, suggestion: 5 }), /no such suggestion/);
    assert.throws(
      () => sim.main.receive({ event: "tap", transferId, suggestion: -1 } as Incoming),
      TypeError,
    );
  });
});
