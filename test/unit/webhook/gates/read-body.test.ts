import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { GateSettings } from "../../../../lib/webhook/gates/gates";
import { type Ending, GateServer } from "./gate-server";
import { latin1, nested, post } from "./hostile-requests";
import { sendRaw, waitForQuick } from "../raw-connection";
import { MESSAGE } from "../sample-events";

type Request = IncomingMessage & { body?: unknown };

const EVENT = JSON.stringify(MESSAGE);
const request = (body: string): string => post("/open", latin1(body));

/** Reads all of a body, as a parser in front does. */
async function readAll(req: Request): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** Waits until the request is there, and reads nothing of it. */
async function arrival(req: Request): Promise<void> {
  while (!req.complete) {
    await new Promise(setImmediate);
  }
}

type Handler = (req: Request) => void | Promise<void>;

/** Reads all of a body, and leaves what is made of it. */
const readAndLeave =
  (make: (bytes: Buffer) => unknown): Handler =>
  async (req) => {
    req.body = make(await readAll(req));
  };
const readAndParse = readAndLeave((bytes) => JSON.parse(String(bytes)));
const leaveUnread =
  (body: unknown): Handler =>
  (req) => {
    req.body = body;
  };

const circular: Record<string, unknown> = {};
circular.self = circular;
const toPrototype = '{"__proto__":{"polluted":1}}';

/** What other handlers may have done to a request whose bytes pass nonetheless. */
const PASSED: readonly [handled: string, before: Handler, body?: string][] = [
  ["nothing done", () => {}],
  ["read, left as bytes", readAndLeave((bytes) => bytes)],
  ["read, left as an array of bytes", readAndLeave((bytes) => new Uint8Array(bytes))],
  ["read, left as a text", readAndLeave(String)],
  ["read and parsed", readAndParse],
  ["read and parsed to nothing", readAndParse, "null"],
  ["read and parsed to an empty object", readAndParse, "{}"],
  ["read and parsed with a key to the prototype", readAndParse, toPrototype],
  ["an empty object left there, and nothing read", leaveUnread({})],
  ["some other body left there, and nothing read", leaveUnread({ a: 1 })],
  ["paused", (req) => void req.pause()],
  ["told to give texts", (req) => void req.setEncoding("utf8")],
  ["told to give Base64", (req) => void req.setEncoding("base64")],
  ["watched", (req) => void req.on("data", () => {})],
  ["come in whole, but not read", arrival],
  [
    "read to the last byte, but not to the end",
    async (req) => {
      await arrival(req);
      req.body = req.read();
      assert.equal(req.readableEnded, false);
    },
  ],
];

/** What they may have done so that nothing passes. */
const LOST: readonly [handled: string, before: Handler, ending: Ending, statuses: number[]][] = [
  ["read and lost", async (req) => void (await readAll(req)), "body-taken", [503]],
  ["read and lost, with the empty object that parsers leave", readAndLeave(() => ({})), "body-taken", [503]],
  ["read, left as something that is no JSON", readAndLeave(() => circular), "body-taken", [503]],
  ["read, left as a function", readAndLeave(() => () => EVENT), "body-taken", [503]],
  ["read and parsed to an abyss", readAndLeave(() => JSON.parse(nested(100_000))), "body-taken", [503]],
  ["read, left as bytes beyond the limit", readAndLeave(() => Buffer.alloc(2_049, " ")), "too-large", [413]],
  [
    "read, left as a value beyond the limit",
    readAndLeave(() => ({ a: "x".repeat(2_049) })),
    "too-large",
    [413],
  ],
  ["read, left as an empty text", readAndLeave(() => ""), "empty", [400]],
  [
    "read in part",
    async (req) => {
      await once(req, "readable");
      req.body = req.read(2);
    },
    "body-taken",
    [503],
  ],
  [
    "waited for by a handler that never reads",
    (req) => void req.on("readable", () => {}),
    "slow-body",
    [408],
  ],
  ["given up", (req) => void req.destroy(), "aborted", []],
];

describe("the body of a request", () => {
  let server: GateServer;
  const start = async (settings: Partial<GateSettings> = {}): Promise<void> => {
    server = await GateServer.start({ "/open": { bodyTimeout: 300, ...settings } });
  };
  afterEach(() => server.stop());

  /** Sends a body past a handler in front, and tells the answers, the endings and the bytes that passed. */
  async function sendPast(before: Handler, body: string): Promise<[number[], Ending[], string[]]> {
    await start();
    server.before = before;
    const { answers } = await sendRaw(server.port, { bytes: request(body), answers: 1 });
    const statuses = answers.map(({ status }) => status);
    return [statuses, server.endings, server.emitted.map(({ raw }) => String(raw))];
  }
  for (const [handled, before, body = EVENT] of PASSED) {
    const ending = body === EVENT ? "inbound" : "unrecognised";
    it(`${handled} by a handler in front → ${ending}`, async () => {
      assert.deepEqual(await sendPast(before, body), [[200], [ending], [body]]);
    });
  }
  for (const [handled, before, ending, statuses] of LOST) {
    it(`${handled} by a handler in front → ${ending}`, async () => {
      assert.deepEqual(await sendPast(before, EVENT), [statuses, [ending], []]);
    });
  }

  it("is taken in pieces of any size, cut within characters too", async () => {
    await start();
    const { answers } = await sendRaw(server.port, { bytes: request(EVENT), answers: 1, split: true });
    assert.equal(answers[0]?.status, 200);
    assert.deepEqual(server.emitted[0]?.value, MESSAGE);
    assert.equal(String(server.emitted[0]?.raw), EVENT);
  });

  for (const error of [undefined, new Error("given up")]) {
    it(`is given up when another handler ends the request meanwhile, ${error ? "with" : "without"} an error`, async () => {
      await start({ bodyTimeout: 60_000 });
      server.before = (req) => void setImmediate(() => req.destroy(error));
      const { answers } = await sendRaw(server.port, { bytes: request(EVENT).slice(0, -5), answers: 1 });
      await waitForQuick("the end", () => server.endings.length > 0);
      assert.deepEqual({ answers, endings: server.endings }, { answers: [], endings: ["aborted"] });
    });
  }

  it("costs no timer once it is there", async () => {
    await start({ bodyTimeout: 60_000 });
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const before = timers();
    const bytes = request(EVENT) + request("x") + request(" ".repeat(3_000));
    await sendRaw(server.port, { bytes, answers: 3 });
    assert.deepEqual(server.endings.toSorted(), ["inbound", "not-json", "too-large"]);
    await waitForQuick("the timers to end", () => timers() <= before);
  });
});
