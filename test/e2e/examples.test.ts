import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { RecordedRequest } from "../../simulator";
import { ACCOUNT_DEFAULTS } from "../../lib/shared/fields/account-defaults";
import { DAYS } from "../../lib/shared/schedule/weekly-hours";
import type { RecordedMessage } from "../support/node-red/admin-client";
import { allExamples, type Example, GermanExample } from "../support/examples";
import type { NodeRed } from "../support/node-red/node-red";
import { type Bench, onEachNodeRed } from "../support/node-red/on-each-node-red";
import { waitFor } from "../support/wait-for";
import { CONVERSATION_CHECKS } from "./conversation-examples";
import { HISTORY_CHECKS } from "./history-examples";
import { LOGIN_CHECKS } from "./login-examples";
import { ON_CALL_CHECKS } from "./on-call-examples";
import { type ExampleCheck, RECEIVING_CHECKS } from "./receiving-examples";
import { GERMAN_CHECKS } from "./german-examples";
import { REPORT_CHECKS } from "./report-examples";
import { RULE_CHECKS } from "./rule-examples";

/** Requests for anything but a token, and the status codes that they were answered with. */
const sends = (requests: readonly RecordedRequest[]): (readonly [string | null, number | null])[] =>
  requests
    .filter(({ operation }) => operation !== "token")
    .map(({ operation, statusCode }) => [operation, statusCode]);

/**
 * Presses a button and waits for a message at the flow's end, a node without outputs. Gives what the simulator saw
 * of it; a reset before each press would revoke the tokens, which shows as requests of its own.
 */
async function press({ nodeRed, simulator }: Bench, example: Example, button: string, end: string) {
  const account = example.id("messaging-account");
  const requestsBefore = (await simulator.requests(account)).length;
  const messagesBefore = (await simulator.messages(account)).length;
  await nodeRed.clearRecording();
  await nodeRed.inject(example.id(button));
  const { from, msg } = await endOf(nodeRed, example.id(end));
  return {
    from,
    msg,
    sends: sends((await simulator.requests(account)).slice(requestsBefore)),
    taken: (await simulator.messages(account)).slice(messagesBefore),
  };
}

/** Waits for a message that reaches a node without outputs. */
const endOf = (nodeRed: NodeRed, nodeId: string): Promise<RecordedMessage> =>
  waitFor(`a message to ${nodeId}`, async () =>
    (await nodeRed.recording()).messages.find(({ to }) => to === nodeId),
  );

/** The bytes that an inject node sends. */
const injectedBytes = (example: Example, button: string): Buffer => {
  const node = example.flows.find(({ name }) => name === button);
  assert.equal(node?.payloadType, "bin");
  return Buffer.from(JSON.parse(String(node.payload)));
};

/** Signature, and chunks with good checksums from the first to the last. */
function assertIsPng(bytes: Buffer): void {
  assert.equal(bytes.toString("latin1", 0, 8), "\x89PNG\r\n\x1a\n");
  const types: string[] = [];
  for (let at = 8; at < bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    types.push(bytes.toString("latin1", at + 4, at + 8));
    assert.equal(bytes.readUInt32BE(end), crc32(bytes.subarray(at + 4, end)), `checksum of ${types.at(-1)}`);
    at = end + 4;
  }
  assert.deepEqual([types[0], types.at(-1)], ["IHDR", "IEND"]);
}

/** The storage settings of an account that keeps messages, as a new one has them. */
const { keepMessages, storeFolder, keepDays, keepTexts, snapshotLimit } = ACCOUNT_DEFAULTS;
const KEEPING = { keepMessages, storeFolder, keepDays, keepTexts, snapshotLimit };

/** Sending hours that never end, so that the example with them works at any time of day; the rest as in a new account. */
const { sendingBy, sendingAction, sendingExempt, timeZone } = ACCOUNT_DEFAULTS;
const ALL_WEEK = {
  sendingHours: true,
  sendingDays: DAYS.join(),
  sendingFrom: "00:00",
  sendingTo: "24:00",
  ...{ sendingBy, sendingAction, sendingExempt, timeZone },
};

/** What each example must do, by file name. An example without an entry fails. */
const CHECKS: Readonly<Record<string, ExampleCheck>> = {
  ...RECEIVING_CHECKS,
  ...HISTORY_CHECKS,
  ...RULE_CHECKS,
  ...ON_CALL_CHECKS,
  ...LOGIN_CHECKS,
  ...CONVERSATION_CHECKS,
  ...REPORT_CHECKS,
  "01 - Send one SMS": async ({ nodeRed, simulator, statuses }, example) => {
    await nodeRed.inject(example.id("Send a greeting"));
    const [left] = await nodeRed.messages(example.id("Send SMS"), 0);
    assert.equal(left?.to, example.id("Accepted"));
    assert.equal(left?.msg.result.outcome, "sent");
    assert.equal(left?.msg.result.simulated, true);

    const [taken, ...more] = await simulator.messages(example.id("messaging-account"));
    assert.deepEqual(more, []);
    assert.equal(taken?.content, "Hello from Node-RED: Grüße aus Zürich!");
    assert.deepEqual(taken?.recipients, ["999555000001"]);
    assert.equal(taken?.transferId, left?.msg.result.transferId);
    await statuses.waitFor(example.id("Accepted"), ({ text }) => text === "OK");
  },

  "02 - Send to a list from CSV and sum up with Join": async ({ nodeRed, simulator }, example) => {
    await nodeRed.inject(example.id("Start"));
    const [report, ...more] = await nodeRed.messages(example.id("Sum up"), 0);
    assert.deepEqual(more, []);
    assert.deepEqual(report?.msg.payload, {
      requests: 3,
      accepted: 2404,
      sms: 2404,
      failed: 1,
      byOutcome: { queued: 2404, rejected: 1 },
      badNumbers: ["12"],
      simulated: true,
    });
    assert.equal(report?.msg.parts, undefined);
    const taken = await simulator.messages(example.id("messaging-account"));
    assert.deepEqual(
      taken.map(({ recipients }) => recipients.length).sort((a, b) => b - a),
      [1000, 1000, 404],
    );
  },

  "03 - Handle every outcome": async ({ nodeRed, simulator }, example) => {
    const account = example.id("messaging-account");
    const reactions: readonly (readonly [button: string, outcome: string, reaction: string, said: RegExp])[] =
      [
        ["Sent", "sent", "note the transfer id", /^Accepted as [0-9a-f]{20}\./],
        ["Queued", "queued", "wait for the report", /^Queued as [0-9a-f]{20}:/],
        [
          "Rejected: on the blacklist",
          "rejected",
          "correct the message",
          /^Not sent to 999004031\. .*blacklist/,
        ],
        ["Denied: no access", "denied", "tell the administrator", /^Not sent, and nothing will .*interface/],
        [
          "Unknown: connection lost",
          "unknown",
          "check before sending again",
          /^It may have been sent\. Look for [0-9a-f-]{36} /,
        ],
        ["Try again: limit used up", "retry-later", "give up", /^Given up after 3 tries\. .*limit/],
      ];
    for (const [button, outcome, reaction, said] of reactions) {
      await nodeRed.clearRecording();
      await simulator.reset(account);
      await nodeRed.inject(example.id(button));
      const [left] = await nodeRed.messages(example.id(reaction), 0);
      assert.equal(left?.msg.result.outcome, outcome);
      assert.match(left?.msg.payload, said);
      const requests = await simulator.requests(account);
      assert.equal(requests.length, outcome === "retry-later" ? 3 : 1, `requests for ${outcome}`);
    }
    await nodeRed.clearRecording();
    await nodeRed.inject(example.id("Rejected, output without a wire"));
    const [caught] = await nodeRed.messages(example.id("Catch the failure"), 0);
    assert.equal(caught?.msg.error.source.id, example.id("Send, only success wired"));
    assert.equal(caught?.msg.result.statusName, "INVALID_RECIPIENT");
  },

  "04 - WhatsApp text, template when the session has expired": async (bench, example) => {
    const text = await press(bench, example, "Wrote an hour ago", "Sent as text");
    assert.deepEqual(text.sends, [["whatsapp-text", 2000]]);
    assert.equal(text.taken[0]?.content, "Hello Ada, your order 4711 is on the counter. See you soon!");
    assert.deepEqual(text.taken[0]?.recipients, ["+999555000001"]);

    const template = await press(bench, example, "Has not written lately", "Sent as template");
    assert.equal(template.from, example.id("Send template"));
    assert.deepEqual(template.sends, [
      ["whatsapp-text", 4400],
      ["whatsapp-template", 2000],
    ]);
    const [taken, ...more] = template.taken;
    assert.deepEqual(more, []);
    assert.equal(taken?.content, "Hello Ada, your order 4711 is ready for collection.");
    assert.deepEqual(taken?.recipients, ["+999600000001"]);
    assert.equal(taken?.fields.templateName, "order_ready");
    assert.deepEqual(taken?.fields.localizableParams, [{ default: "Ada" }, { default: "4711" }]);

    const other = await press(bench, example, "Is on the blacklist", "Rejected for another reason");
    assert.equal(other.msg.result.statusName, "RECIPIENTS_BLACKLISTED");
    assert.deepEqual(other.sends, [["whatsapp-text", 4031]]);
  },

  "06 - Template from a CSV row": async ({ nodeRed, simulator }, example) => {
    const account = example.id("messaging-account");
    await nodeRed.inject(example.id("Start"));
    const [report, ...more] = await nodeRed.messages(example.id("Sum up"), 0);
    assert.deepEqual(more, []);
    assert.deepEqual(report?.msg.payload, { rows: 4, accepted: 3, byOutcome: { sent: 3, rejected: 1 } });
    const taken = await simulator.messages(account);
    assert.deepEqual(taken.map(({ recipients, content }) => [...recipients, content]).sort(), [
      ["+999555000001", "Hello Ada, your order 4711 is ready for collection."],
      ["+999555000002", "Hello Grace, your order 4712 is ready for collection."],
      ["+999555000004", "Hello Barbara, your order 4714 is ready for collection."],
    ]);
    assert.equal(sends(await simulator.requests(account)).length, 3, "the row without an order never left");
    const { msg: bad } = await endOf(nodeRed, example.id("Row not sent"));
    assert.equal(bad.payload.name, "Alan");
    assert.equal(bad.result.statusName, "FIELD_UNRESOLVED");
    assert.equal(bad.result.parameter, "localizableParams");
  },

  "07 - Upload a picture and send it": async ({ nodeRed, simulator }, example) => {
    const account = example.id("messaging-account");
    await nodeRed.inject(example.id("A small picture"));
    const [uploaded] = await nodeRed.messages(example.id("Upload"), 0);
    const { mediaId } = uploaded?.msg ?? {};
    assert.match(mediaId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.equal(uploaded?.msg.result.mediaId, mediaId);
    const { msg } = await endOf(nodeRed, example.id("Accepted"));
    assert.equal(msg.result.operation, "whatsapp-media");

    const requests = await simulator.requests(account);
    assert.deepEqual(sends(requests), [
      ["media-upload", null],
      ["whatsapp-media", 2000],
    ]);
    const picture = injectedBytes(example, "A small picture");
    assert.deepEqual(requests.find(({ operation }) => operation === "media-upload")?.fields.file, {
      fileName: "smile.png",
      contentType: "image/png",
      size: picture.length,
      sha256: createHash("sha256").update(picture).digest("hex"),
    });
    assertIsPng(picture);
    const [taken] = await simulator.messages(account);
    assert.equal(taken?.fields.mediaId, mediaId);
    assert.equal(taken?.content, "Thank you for your visit!");
    assert.deepEqual(taken?.recipients, ["+999555000001"]);
  },

  "08 - RCS card with replies": async ({ nodeRed, simulator }, example) => {
    const account = example.id("messaging-account");
    await nodeRed.inject(example.id("Today's menu"));
    await endOf(nodeRed, example.id("Accepted"));
    const [taken, ...more] = await simulator.messages(account);
    assert.deepEqual(more, []);
    assert.deepEqual(taken?.fields.rcsPayload, {
      messageContact: { userContact: "+999555000001" },
      RCSMessage: {
        richcardMessage: {
          message: {
            generalPurposeCard: {
              layout: { cardOrientation: "VERTICAL" },
              content: {
                title: "Today's lunch",
                description:
                  "Tomato soup, and risotto with mushrooms. Shall we keep a table for you at noon?",
                media: {
                  mediaUrl: "https://www.example.com/pictures/risotto.jpg",
                  mediaContentType: "image/jpeg",
                  mediaFileSize: 48_213,
                  height: "MEDIUM_HEIGHT",
                  contentDescription: "A plate of risotto",
                },
                suggestions: [
                  { reply: { displayText: "Yes, please", postback: { data: "Yes, please" } } },
                  { reply: { displayText: "Not today", postback: { data: "Not today" } } },
                  {
                    action: {
                      displayText: "See the menu",
                      urlAction: { openUrl: { url: "https://www.example.com/menu" } },
                    },
                  },
                ],
              },
            },
          },
        },
      },
    });
    const panel = `/messaging-account/${account}/simulator`;
    await nodeRed.request("POST", `${panel}/tap`, { transferId: taken?.transferId, suggestion: 0 });
    const [answer] = await nodeRed.messages(example.id("Answers of people"), 0);
    assert.deepEqual(
      [answer?.msg.text, answer?.msg.topic, answer?.msg.payload.suggestedResponse.response.reply.postback],
      ["Yes, please", "+999555000001", { data: "Yes, please" }],
    );
  },

  "09 - Broadcast with an attachment": async ({ nodeRed, simulator }, example) => {
    const account = example.id("messaging-account");
    await nodeRed.inject(example.id("A price list"));
    const [attached] = await nodeRed.messages(example.id("Attach"), 0);
    const { attachmentId } = attached?.msg ?? {};
    assert.ok(Number.isInteger(attachmentId), `${attachmentId} is a number`);
    assert.equal(attached?.msg.result.attachmentId, attachmentId);
    await endOf(nodeRed, example.id("Accepted"));

    const requests = await simulator.requests(account);
    assert.deepEqual(
      requests.map(({ operation }) => operation),
      ["attachment-create", "whatsapp-broadcast"],
    );
    const file = injectedBytes(example, "A price list");
    assert.deepEqual(requests[0]?.fields.file, {
      fileName: "prices.txt",
      contentType: "text/plain",
      size: file.length,
      sha256: createHash("sha256").update(file).digest("hex"),
    });
    const [taken, ...more] = await simulator.messages(account);
    assert.deepEqual(more, []);
    assert.equal(taken?.fields.attachmentId, attachmentId);
    assert.equal(taken?.content, "Our prices from Monday are attached.");
    assert.deepEqual(
      taken?.recipients.map((number) => number.replace("+", "")),
      ["999555000001", "999555000002", "999555000003"],
    );
  },
};

describe("examples", () => {
  const examples = allExamples();

  it("are each checked here", () => {
    assert.deepEqual(examples.map(({ name }) => name).sort(), Object.keys(CHECKS).sort());
  });

  for (const { name, flows } of examples) {
    it(`${name}: stands on its own and holds no secret`, () => {
      const ids = new Set(flows.map(({ id }) => id));
      assert.equal(ids.size, flows.length, "ids are unique");
      for (const node of flows) {
        assert.equal(node.credentials, undefined);
        for (const target of (node.wires ?? []).flat())
          assert.ok(ids.has(target), `${node.id} leads nowhere`);
      }
      const accounts = flows.filter(({ type }) => type === "messaging-account");
      assert.deepEqual(
        accounts.map(({ service }) => service),
        ["simulator"],
      );
      const notes = flows.filter(({ type }) => type === "comment");
      assert.ok(
        notes.some(({ info }) => /go live/.test(String(info))),
        "a comment says how to go live",
      );
    });
  }

  it("share no node, or the editor would ask about a conflict when the second is imported", () => {
    const ids = examples.flatMap(({ flows }) => flows.map(({ id }) => id));
    assert.equal(new Set(ids).size, ids.length);
  });

  it("differ in their accounts by id and name only, in the hours of one, and in the countries of a public form", () => {
    const accounts = examples.map(({ flows }) => flows.find(({ type }) => type === "messaging-account"));
    assert.equal(new Set(accounts.map((account) => account?.name)).size, examples.length);
    for (const account of accounts) {
      const same = { id: "", name: "", allowedCountries: "" };
      const hours = account?.sendingHours === true ? ALL_WEEK : {};
      assert.deepEqual({ ...account, ...same }, { ...accounts[0], ...KEEPING, ...hours, ...same });
    }
    assert.deepEqual(
      accounts.filter((account) => account?.sendingHours === true).map((account) => account?.name),
      ["Demo account 16"],
    );
    assert.deepEqual(
      accounts.filter((account) => account?.allowedCountries !== "all").map((account) => account?.name),
      ["Demo account 21"],
    );
  });

  onEachNodeRed("run right after import", (bench) => {
    for (const example of examples) {
      it(example.name, async () => {
        await bench.nodeRed.deploy(example.flows);
        await bench.nodeRed.clearRecording();
        const check = CHECKS[example.name];
        assert.ok(check, "this example has no check");
        try {
          await check(bench, example);
        } finally {
          await bench.simulator.reset(example.id("messaging-account"));
        }
        assert.doesNotMatch(bench.nodeRed.logs(), /\[error\]/);
      });
    }
  });

  onEachNodeRed("run in German", (bench) => {
    // Of these the check looks at no text.
    const sameChecks = ["02 - Send to a list from CSV and sum up with Join"];
    const checks = {
      ...GERMAN_CHECKS,
      ...Object.fromEntries(sameChecks.map((name) => [name, CHECKS[name]])),
    };
    for (const [name, check] of Object.entries(checks)) {
      it(name, async () => {
        const example = examples.find((each) => each.name === name);
        assert.ok(example && check, `${name} is no example, or has no check`);
        const german = new GermanExample(example);
        await bench.nodeRed.deploy(german.flows);
        await bench.nodeRed.clearRecording();
        try {
          await check(bench, german);
        } finally {
          await bench.simulator.reset(german.id("messaging-account"));
        }
        assert.doesNotMatch(bench.nodeRed.logs(), /\[error\]/);
      });
    }

    it("all of them beside the English ones", async () => {
      const german = examples.map((example) => new GermanExample(example));
      await bench.nodeRed.deploy([...examples, ...german].flatMap(({ flows }) => flows));
      // The last of them answers, so all have been started.
      const form = await fetch(`${bench.nodeRed.url}/anmelde-demo`);
      assert.match(await form.text(), /Geben Sie Ihre Telefonnummer ein/);
      assert.doesNotMatch(bench.nodeRed.logs(), /\[error\]/);
    });
  });
});
