import assert from "node:assert/strict";
import {
  performSimulatorAction,
  type SimulatorActionName,
  getSchema,
} from "../../../../lib/runtime/simulator/simulator-actions";
import type { SimulatorAccount } from "../../../../lib/runtime/simulator/simulator-account";
import { LARGEST_PICTURE, LONGEST_LINE, LONGEST_TEXT } from "../../../../lib/shared/simulator-panel";

const message = (transferId: string, channel: string, fields: object = {}) => ({
  transferId,
  channel,
  recipients: ["41791234567", "41791234568"],
  fields,
});
const picture = { contentType: "image/png", fileName: "a.png", base64: "AAAA" };
const sample = { sample: true };

/** What the simulator is told to send to webhooks. */
function received(name: SimulatorActionName, input: object): unknown[] {
  const { told, answer } = act(name, input);
  assert.deepEqual(answer, { told: name === "status" ? 1 : 2, refused: [] });
  return told;
}

function act(name: SimulatorActionName, input: object, country = "") {
  const told: unknown[] = [];
  const account = {
    messages: [
      message("s", "flash"),
      message("w", "whatsapp", { applicationId: "app" }),
      message("r", "rcs"),
    ],
    webhooks: [{ kind: "inbound" }, { kind: "inbound" }, { kind: "status" }],
    receive: (incoming: unknown) => told.push(incoming),
    addTemplate: () => {
      throw new TypeError("template: placeholders");
    },
  } as unknown as SimulatorAccount;
  return { told, answer: performSimulatorAction(account, name, getSchema(name).parse(input), country) };
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
    "an inbound message with a file",
    "write",
    { channel: "whatsapp", sender: "41791234567", text: "Hi", picture },
    { ...inbound, type: "whatsapp", media: picture },
  ],
  [
    "a message from a number with blanks",
    "write",
    { channel: "sms", sender: "+41 79 123 45 67", text: "Hi" },
    { ...inbound, event: "sms" },
  ],
  [
    "a tap of another person of a list",
    "tap",
    { transferId: "r", person: 1, suggestion: 1 },
    { event: "tap", transferId: "r", suggestion: 1, recipient: "41791234568" },
  ],
  [
    "a status of one person of a list",
    "status",
    { transferId: "s", person: 0, status: "read" },
    { event: "status", transferId: "s", status: "read", recipient: "41791234567" },
  ],
  ["a tap", "tap", { transferId: "r", suggestion: 1 }, { event: "tap", transferId: "r", suggestion: 1 }],
];

describe("actions of the simulator panel", () => {
  it("passes actions of the recipient to the simulator", () => {
    for (const [title, name, input, expected] of CASES) {
      assert.deepEqual(received(name, input), [expected], title);
    }
  });

  it("reads a sender as the account's recipients are read", () => {
    const write = { channel: "sms", sender: "079 123 45 67", text: "Hi" };
    assert.deepEqual(act("write", write, "CH").told, [{ ...inbound, event: "sms" }]);
    assert.deepEqual(act("write", write).answer, { told: 0, refused: ["number.leading-zero"] });
  });

  const long = "x".repeat(LONGEST_TEXT + 1);
  const template = { templateName: "visit", templateLocale: "en_US", text: "See you on {{2}}." };
  it("do nothing, and name each fault of what was typed", () => {
    for (const [name, input, refused] of [
      ["reply", { transferId: "s", text: "Hi", picture: sample }, ["picture.sms"]],
      ["reply", { transferId: "w", text: "" }, ["text.none"]],
      ["write", { channel: "sms", sender: "", text: "" }, ["sender.none", "text.none"]],
      [
        "write",
        { channel: "sms", sender: "+41791234567, +41791234568", text: long, picture },
        ["sender.several", "text.long", "picture.sms"],
      ],
      ["write", { channel: "rcs", sender: "me", text: "Hi" }, ["number.not-a-number"]],
      [
        "template",
        { templateName: " ", templateLocale: "x".repeat(LONGEST_LINE + 1), text: "" },
        ["template.name", "template.language", "template.text"],
      ],
      ["template", { ...template, text: long }, ["text.long"]],
      ["template", template, ["template.placeholders"]],
    ] as const) {
      assert.deepEqual(act(name, input), { told: [], answer: { told: 0, refused } });
    }
  });

  it("limits what a picture may be", () => {
    const fits = (each: unknown): boolean =>
      getSchema("reply").safeParse({ transferId: "w", text: "", ...(each as object) }).success;
    assert.ok(fits({ picture: sample }));
    assert.ok(fits({ picture: { ...picture, base64: "A".repeat((LARGEST_PICTURE / 3) * 4) } }));
    const wrong: readonly object[] = [
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
