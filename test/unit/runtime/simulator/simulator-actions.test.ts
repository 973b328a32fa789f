import assert from "node:assert/strict";
import {
  MessageGone,
  performSimulatorAction,
  type SimulatorActionName,
  schemaOf,
} from "../../../../lib/runtime/simulator/simulator-actions";
import type { SimulatorAccount } from "../../../../lib/runtime/simulator/simulator-account";
import { LARGEST_PICTURE, LONGEST_TEXT } from "../../../../lib/shared/simulator-panel";

const message = (transferId: string, channel: string, fields: object = {}) => ({
  transferId,
  channel,
  recipients: ["41791234567"],
  fields,
});
const picture = { contentType: "image/png", fileName: "a.png", base64: "AAAA" };
const sample = { sample: true };

/** What the simulator is told to send to webhooks. */
function received(name: SimulatorActionName, input: object): unknown[] {
  const told: unknown[] = [];
  const account = {
    messages: [
      message("s", "flash"),
      message("w", "whatsapp", { applicationId: "app" }),
      message("r", "rcs"),
    ],
    webhooks: [{ kind: "inbound" }, { kind: "inbound" }, { kind: "status" }],
    receive: (incoming: unknown) => told.push(incoming),
  } as unknown as SimulatorAccount;
  assert.equal(performSimulatorAction(account, name, schemaOf(name).parse(input)), name === "status" ? 1 : 2);
  return told;
}

const inbound = { event: "inbound", sender: "41791234567", content: "Hi" };
const CASES: readonly (readonly [string, SimulatorActionName, object, object])[] = [
  ["a reply to a flash SMS by SMS", "reply", { transferId: "s", text: "Hi" }, { ...inbound, event: "sms" }],
  [
    "a reply to the application that sent",
    "reply",
    { transferId: "w", text: "Hi" },
    { ...inbound, type: "whatsapp", applicationId: "app" },
  ],
  [
    "a picture without a text",
    "reply",
    { transferId: "r", text: "", picture: sample },
    { ...inbound, type: "rcs", content: "", media: sample },
  ],
  [
    "an inbound message with a file",
    "write",
    { channel: "whatsapp", sender: "41791234567", text: "Hi", picture },
    { ...inbound, type: "whatsapp", media: picture },
  ],
  ["a tap", "tap", { transferId: "r", suggestion: 1 }, { event: "tap", transferId: "r", suggestion: 1 }],
];

describe("actions of the simulator panel", () => {
  for (const [title, name, input, expected] of CASES) {
    it(`hands over ${title}`, () => assert.deepEqual(received(name, input), [expected]));
  }

  it("refuses a picture by SMS, and what is about a message that is gone", () => {
    assert.throws(() => received("reply", { transferId: "s", text: "Hi", picture: sample }), TypeError);
    const write = { channel: "sms", sender: "41791234567", text: "Hi", picture };
    assert.throws(() => received("write", write), TypeError);
    assert.throws(() => received("tap", { transferId: "gone", suggestion: 0 }), MessageGone);
  });

  it("limits what a picture may be", () => {
    const fits = (each: unknown): boolean =>
      schemaOf("reply").safeParse({ transferId: "w", text: "", ...(each as object) }).success;
    assert.ok(fits({ picture: sample }));
    assert.ok(fits({ picture: { ...picture, base64: "A".repeat((LARGEST_PICTURE / 3) * 4) } }));
    const wrong: readonly object[] = [
      {},
      { text: "x".repeat(LONGEST_TEXT + 1) },
      { picture: { sample: false } },
      { picture: { ...picture, contentType: "text/html" } },
      { picture: { ...picture, contentType: "image/svg+xml" } },
      { picture: { ...picture, fileName: "" } },
      { picture: { ...picture, base64: "" } },
      { picture: { ...picture, base64: "<b>" } },
      { picture: { ...picture, base64: "A".repeat((LARGEST_PICTURE / 3) * 4 + 1) } },
    ];
    assert.deepEqual(wrong.filter(fits), []);
  });
});
