import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import helper from "node-red-node-test-helper";
import { MEDIA_FIELDS } from "../../lib/shared/fields/media-fields";
import type { FieldSpec } from "../../lib/shared/fields/field-spec";
import { RCS_FIELDS, RCS_KINDS } from "../../lib/shared/fields/rcs-fields";
import { SMS_FIELDS } from "../../lib/shared/fields/sms-fields";
import { WHATSAPP_FIELDS, WHATSAPP_KINDS } from "../../lib/shared/fields/whatsapp-fields";
import { findEnglish } from "../support/locales/english-words";
import { type Config, startFlow, stopServer, type TestFlow } from "./flow";

/** Ends a line, clears a terminal, turns text around, and is no character. */
const HOSTILE =
  "a\r\n2026-01-01 [error] forged\u001b[2Jb\u0000\u0007\u007f\u0085\u009b\u2028\u2029\u202e\u202d\u2066\u2069\ud800";
const UNSEEN = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const LONG = `${HOSTILE}${"x".repeat(100_000)}`;
/** Characters of one line of the log: an error names several fields at most. */
const LONGEST_LINE = 6_000;

/** What of a value goes to people: errors and warnings, the words of a result, the badge. */
function textsOf(flow: TestFlow): string[] {
  const results = [...flow.all.messages, ...flow.caught.messages].flatMap((msg) => {
    const { result, error } = msg as { result?: Record<string, unknown>; error?: { message?: string } };
    const { statusMessage, statusName, advice, parameter, recipients, transferId } = result ?? {};
    return [statusMessage, statusName, advice, parameter, recipients, transferId, error?.message].flat();
  });
  const badges = flow.statuses.messages.map((msg) => (msg as { status?: { text?: string } }).status?.text);
  const lines = (helper.log() as unknown as { args: [{ id?: string; msg: unknown }][] }).args
    // Lines of nodes; those of Node-RED itself have no id.
    .filter(([entry]) => entry.id !== undefined)
    .map(([entry]) => (entry.msg instanceof Error ? entry.msg.message : entry.msg));
  return [...results, ...badges, ...lines].filter((text) => typeof text === "string");
}

/** Values without quotes are paths and keys, of which the hostile ones hold no English word that counts. */
function expectOneGermanLineEach(texts: readonly string[], what: string): void {
  for (const text of texts) {
    assert.equal(findEnglish(text), null, `${what}: ${text}`);
    const [found] = UNSEEN.exec(text) ?? [];
    assert.equal(found, undefined, `${what}: ${JSON.stringify(text)}`);
    assert.ok(text.length < LONGEST_LINE, `${what}: ${text.length} characters`);
  }
}

/** Whether any text shows the hostile value at all: a test that looks at nothing would pass. */
const isShown = (texts: readonly string[]): boolean => texts.some((text) => text.includes("a\\r\\n2026"));

/** Answers everything with a refusal that says so many hostile things. */
function startService(): Promise<Server> {
  const server = createServer((request, answer) => {
    request.resume();
    if (request.url === "/oauth/token") {
      answer.writeHead(200, { "content-type": "application/json" });
      answer.end('{"access_token":"tok","expires_in":300}');
      return;
    }
    answer.writeHead(400, { "content-type": "application/json" });
    answer.end(
      JSON.stringify({ statusCode: 4019, statusMessage: LONG, clientMessageId: LONG, transferId: null }),
    );
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

interface Sender {
  readonly type: string;
  readonly specs: readonly FieldSpec[];
  readonly kinds: readonly (string | undefined)[];
  readonly more: Config;
}

const SENDERS: readonly Sender[] = [
  { type: "sms-send", specs: SMS_FIELDS, kinds: [undefined], more: {} },
  { type: "whatsapp-send", specs: WHATSAPP_FIELDS, kinds: WHATSAPP_KINDS, more: {} },
  { type: "rcs-send", specs: RCS_FIELDS, kinds: RCS_KINDS, more: {} },
  {
    type: "media-transfer",
    specs: MEDIA_FIELDS,
    kinds: ["download"],
    more: { to: "file", folder: "/nowhere" },
  },
  {
    type: "media-transfer",
    specs: MEDIA_FIELDS,
    kinds: ["upload", "attachment"],
    more: { from: "file", baseFolder: "" },
  },
  { type: "media-transfer", specs: MEDIA_FIELDS, kinds: ["upload", "attachment"], more: { from: "buffer" } },
];

/** A hostile value of each shape that a field may be given. */
const VALUES: readonly unknown[] = [
  LONG,
  [LONG, LONG],
  { [LONG]: LONG },
  [{ text: LONG, [LONG]: LONG }],
  JSON.stringify({ [LONG]: [LONG] }),
  `{ ${HOSTILE}`,
  { RCSMessage: {}, messageContact: { userContact: LONG } },
];

const MEDIA_ID = "123e4567-e89b-12d3-a456-426614174000";

/** Payloads with which all is right but the one field. */
const PAYLOADS: Readonly<Record<string, unknown>> = {
  file: "https://example.com/a.pdf",
  audio: "https://example.com/a.mp3",
  media: MEDIA_ID,
  location: { latitude: 47, longitude: 7 },
  raw: { RCSMessage: { textMessage: "x" }, messageContact: { userContact: "+41790000001" } },
  download: { mediaId: MEDIA_ID },
  upload: Buffer.from("x"),
  attachment: Buffer.from("x"),
};

describe("foreign values in texts for users, which are German where Node-RED is", () => {
  let server: Server;
  let flow: TestFlow | null = null;
  before(async () => {
    server = await startService();
  });
  afterEach(async () => {
    await flow?.stop();
    flow = null;
  });
  after(async () => {
    server.close();
    await stopServer();
  });

  const start = async (sender: Config): Promise<TestFlow> => {
    await flow?.stop();
    flow = await startFlow({
      language: "de",
      account: {
        service: "service",
        serviceAddress: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        legacyAuth: "basic",
        attempts: 1,
        applicationId: "123e4567-e89b-12d3-a456-426614174000",
      },
      credentials: { username: "u", password: "password", clientId: "c", clientSecret: "secret" },
      sender,
    });
    return flow;
  };
  /** Sends messages and waits until each has ended, in a result or an error. */
  const send = async (running: TestFlow, messages: readonly Record<string, unknown>[]): Promise<void> => {
    for (const message of messages) {
      const before = running.all.messages.length + running.caught.messages.length;
      running.send(message);
      await Promise.race([
        running.all.until(running.all.messages.length + 1),
        running.caught.until(running.caught.messages.length + 1),
      ]);
      assert.ok(running.all.messages.length + running.caught.messages.length > before);
    }
  };

  for (const { type, specs, kinds, more } of SENDERS) {
    for (const kind of kinds) {
      it(`are one short line: ${[type, kind, ...Object.values(more)].join(" ")}`, async () => {
        const fields = specs.filter(
          ({ messageKinds: only, sources }) =>
            (only === undefined || only.includes(String(kind))) && sources?.includes("msg") !== false,
        );
        let shown = 0;
        for (const { name } of fields) {
          const others = Object.fromEntries(
            fields.flatMap((field) =>
              field.name === name
                ? []
                : [
                    [
                      field.name,
                      field.name === "recipients" || field.name === "to" ? "to" : field.initial.value,
                    ],
                    [`${field.name}Source`, field.initial.source],
                  ],
            ),
          );
          const running = await start({
            type,
            kind,
            ...others,
            ...more,
            [name]: "hostile",
            [`${name}Source`]: "msg",
          });
          await send(
            running,
            VALUES.map((hostile) => ({
              hostile,
              to: "+41790000001",
              recipients: "+41790000001",
              payload: PAYLOADS[kind ?? ""] ?? "x",
              filename: "/nowhere",
            })),
          );
          const texts = textsOf(running);
          expectOneGermanLineEach(texts, name);
          shown += isShown(texts) ? 1 : 0;
        }
        assert.ok(shown > 0, "none of the values was shown");
      });
    }
  }

  it("are one short line: what the service says", async () => {
    const running = await start({ type: "sms-send" });
    await send(running, [{ to: "+41790000001", payload: "x" }]);
    const texts = textsOf(running);
    expectOneGermanLineEach(texts, "statusMessage");
    assert.ok(isShown(texts));
  });

  for (const [what, sender] of [
    ["the kind", { type: "whatsapp-send", kind: LONG }],
    ["a source", { type: "media-transfer", kind: "download", to: "file", folder: "a", folderSource: LONG }],
    ["a setting", { type: "media-transfer", kind: "download", to: LONG }],
    ["the size limit", { type: "media-transfer", kind: "download", limit: LONG }],
    [
      "the folder",
      { type: "media-transfer", kind: "download", to: "file", folder: HOSTILE, folderSource: "str" },
    ],
    ["the form of a position", { type: "rcs-send", kind: "location", positionAs: LONG }],
    [
      "a property",
      { type: "sms-send", content: HOSTILE, messageContent: HOSTILE, messageContentSource: "msg" },
    ],
    ["JSON", { type: "rcs-send", kind: "raw", rcsPayload: `{ ${HOSTILE}`, rcsPayloadSource: "json" }],
    ["an expression", { type: "sms-send", messageContent: `${HOSTILE}(`, messageContentSource: "jsonata" }],
  ] as const) {
    it(`are one short line: ${what} of a node`, async () => {
      const running = await start(sender);
      await send(running, [{ to: "+41790000001", payload: { mediaId: MEDIA_ID } }]);
      expectOneGermanLineEach(textsOf(running), what);
    });
  }
});
