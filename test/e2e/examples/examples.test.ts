import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { RecordedRequest } from "../../../simulator/index";
import { ACCOUNT_DEFAULTS } from "../../../lib/shared/fields/account-defaults";
import { DAYS } from "../../../lib/shared/schedule/weekly-hours";
import { allExamples, type Example, GermanExample } from "../../support/examples";
import { type ExampleCheck, ExampleRun } from "../../support/node-red/example-run";
import { type Bench, onEachNodeRed } from "../../support/node-red/on-each-node-red";
import { ASSISTANT_CHECKS } from "./assistant-examples";
import { CONVERSATION_CHECKS } from "./conversation-examples";
import { HISTORY_CHECKS } from "./history-examples";
import { LOGIN_CHECKS } from "./login-examples";
import { ON_CALL_CHECKS } from "./on-call-examples";
import { RECEIVING_CHECKS } from "./receiving-examples";
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
async function press(run: ExampleRun, button: string, end: string) {
  const requestsBefore = (await run.requests()).length;
  const messagesBefore = (await run.taken()).length;
  await run.press(button);
  const [ended] = await run.reaching(end);
  return {
    from: ended?.from,
    msg: ended?.msg,
    sends: sends((await run.requests()).slice(requestsBefore)),
    taken: (await run.taken()).slice(messagesBefore),
  };
}

/** The bytes that an inject node sends. */
const injectedBytes = ({ example }: ExampleRun, button: string): Buffer => {
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

/** Texts that a conversation is read from, and a limit that no flow can pass. */
const WITH_TEXTS = { keepTexts: true, limitNumberDay: "30", limitAction: "refuse" };

/** What each example must do, by file name. An example without an entry fails. */
const CHECKS: Readonly<Record<string, ExampleCheck>> = {
  ...RECEIVING_CHECKS,
  ...HISTORY_CHECKS,
  ...RULE_CHECKS,
  ...ON_CALL_CHECKS,
  ...LOGIN_CHECKS,
  ...CONVERSATION_CHECKS,
  ...ASSISTANT_CHECKS,
  ...REPORT_CHECKS,
  "01 - Send one SMS": async (run) => {
    await run.press("Send a greeting");
    const [left] = await run.leaving("Send SMS");
    assert.equal(left?.to, run.id("Accepted"));
    assert.equal(left?.msg.result.outcome, "sent");
    assert.equal(left?.msg.result.simulated, true);

    const [taken, ...more] = await run.taken();
    assert.deepEqual(more, []);
    assert.equal(taken?.content, "Hello from Node-RED: Grüße aus Zürich!");
    assert.deepEqual(taken?.recipients, ["999555000001"]);
    assert.equal(taken?.transferId, left?.msg.result.transferId);
    await run.badge("Accepted", ({ text }) => text === "OK");
  },

  "02 - Send to a list from CSV and sum up with Join": async (run) => {
    await run.press("Start");
    const [report, ...more] = await run.leaving("Sum up");
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
    const taken = await run.taken();
    assert.deepEqual(
      taken.map(({ recipients }) => recipients.length).sort((a, b) => b - a),
      [1000, 1000, 404],
    );
  },

  "03 - Handle every outcome": async (run) => {
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
      await run.simulator.reset(run.account);
      await run.press(button);
      const [left] = await run.leaving(reaction);
      assert.equal(left?.msg.result.outcome, outcome);
      assert.match(left?.msg.payload, said);
      const requests = await run.requests();
      assert.equal(requests.length, outcome === "retry-later" ? 3 : 1, `requests for ${outcome}`);
    }
    await run.press("Rejected, output without a wire");
    const [caught] = await run.leaving("Catch the failure");
    assert.equal(caught?.msg.error.source.id, run.id("Send, only success wired"));
    assert.equal(caught?.msg.result.statusName, "INVALID_RECIPIENT");
  },

  "04 - WhatsApp text, template when the session has expired": async (run) => {
    const text = await press(run, "Wrote an hour ago", "Sent as text");
    assert.deepEqual(text.sends, [["whatsapp-text", 2000]]);
    assert.equal(text.taken[0]?.content, "Hello Ada, your order 4711 is on the counter. See you soon!");
    assert.deepEqual(text.taken[0]?.recipients, ["+999555000001"]);

    const template = await press(run, "Has not written lately", "Sent as template");
    assert.equal(template.from, run.id("Send template"));
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

    const other = await press(run, "Is on the blacklist", "Rejected for another reason");
    assert.equal(other.msg.result.statusName, "RECIPIENTS_BLACKLISTED");
    assert.deepEqual(other.sends, [["whatsapp-text", 4031]]);
  },

  "06 - Template from a CSV row": async (run) => {
    await run.press("Start");
    const [report, ...more] = await run.leaving("Sum up");
    assert.deepEqual(more, []);
    assert.deepEqual(report?.msg.payload, { rows: 4, accepted: 3, byOutcome: { sent: 3, rejected: 1 } });
    const taken = await run.taken();
    assert.deepEqual(taken.map(({ recipients, content }) => [...recipients, content]).sort(), [
      ["+999555000001", "Hello Ada, your order 4711 is ready for collection."],
      ["+999555000002", "Hello Grace, your order 4712 is ready for collection."],
      ["+999555000004", "Hello Barbara, your order 4714 is ready for collection."],
    ]);
    assert.equal(sends(await run.requests()).length, 3, "the row without an order never left");
    const [bad] = await run.reaching("Row not sent");
    assert.equal(bad?.msg.payload.name, "Alan");
    assert.equal(bad?.msg.result.statusName, "FIELD_UNRESOLVED");
    assert.equal(bad?.msg.result.parameter, "localizableParams");
  },

  "07 - Upload a picture and send it": async (run) => {
    await run.press("A small picture");
    const [uploaded] = await run.leaving("Upload");
    const { mediaId } = uploaded?.msg ?? {};
    assert.match(mediaId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.equal(uploaded?.msg.result.mediaId, mediaId);
    const [accepted] = await run.reaching("Accepted");
    assert.equal(accepted?.msg.result.operation, "whatsapp-media");

    const requests = await run.requests();
    assert.deepEqual(sends(requests), [
      ["media-upload", null],
      ["whatsapp-media", 2000],
    ]);
    const picture = injectedBytes(run, "A small picture");
    assert.deepEqual(requests.find(({ operation }) => operation === "media-upload")?.fields.file, {
      fileName: "smile.png",
      contentType: "image/png",
      size: picture.length,
      sha256: createHash("sha256").update(picture).digest("hex"),
    });
    assertIsPng(picture);
    const [taken] = await run.taken();
    assert.equal(taken?.fields.mediaId, mediaId);
    assert.equal(taken?.content, "Thank you for your visit!");
    assert.deepEqual(taken?.recipients, ["+999555000001"]);
  },

  "08 - RCS card with replies": async (run) => {
    await run.press("Today's menu");
    await run.reaching("Accepted");
    const [taken, ...more] = await run.taken();
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
    await run.control("simulator/tap", { transferId: taken?.transferId, suggestion: 0 });
    const [answer] = await run.leaving("Answers of people");
    assert.deepEqual(
      [answer?.msg.text, answer?.msg.topic, answer?.msg.payload.suggestedResponse.response.reply.postback],
      ["Yes, please", "+999555000001", { data: "Yes, please" }],
    );
  },

  "09 - Broadcast with an attachment": async (run) => {
    await run.press("A price list");
    const [attached] = await run.leaving("Attach");
    const { attachmentId } = attached?.msg ?? {};
    assert.ok(Number.isInteger(attachmentId), `${attachmentId} is a number`);
    assert.equal(attached?.msg.result.attachmentId, attachmentId);
    await run.reaching("Accepted");

    const requests = await run.requests();
    assert.deepEqual(
      requests.map(({ operation }) => operation),
      ["attachment-create", "whatsapp-broadcast"],
    );
    const file = injectedBytes(run, "A price list");
    assert.deepEqual(requests[0]?.fields.file, {
      fileName: "prices.txt",
      contentType: "text/plain",
      size: file.length,
      sha256: createHash("sha256").update(file).digest("hex"),
    });
    const [taken, ...more] = await run.taken();
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

  it("differ in their accounts by id and name only, in the hours of one, the texts of one, and the countries of a public form", () => {
    const accounts = examples.map(({ flows }) => flows.find(({ type }) => type === "messaging-account"));
    assert.equal(new Set(accounts.map((account) => account?.name)).size, examples.length);
    for (const account of accounts) {
      const same = { id: "", name: "", allowedCountries: "" };
      const hours = account?.sendingHours === true ? ALL_WEEK : {};
      const texts = account?.keepTexts === true ? WITH_TEXTS : {};
      assert.deepEqual({ ...account, ...same }, { ...accounts[0], ...KEEPING, ...hours, ...texts, ...same });
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

  async function runCheck(bench: Bench, example: Example, check: ExampleCheck | undefined): Promise<void> {
    assert.ok(check, "this example has no check");
    const run = new ExampleRun(bench, example);
    await run.deploy();
    await bench.nodeRed.clearRecording();
    try {
      await check(run);
    } finally {
      await bench.simulator.reset(run.account);
    }
    assert.doesNotMatch(bench.nodeRed.logs(), /\[error\]/);
  }

  onEachNodeRed("run right after import", (bench) => {
    for (const example of examples) {
      it(example.name, () => runCheck(bench, example, CHECKS[example.name]));
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
        assert.ok(example, `${name} is no example`);
        await runCheck(bench, new GermanExample(example), check);
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
