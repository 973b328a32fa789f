import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { type Ending, GateServer } from "./gate-server";
import { latin1, post } from "./hostile-requests";
import { sendRaw } from "../raw-connection";
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

const toPrototype = '{"__proto__":{"polluted":1}}';

/** What other handlers may have done to a request whose bytes pass nonetheless. */
const PASSED: readonly [handled: string, before: Handler, body?: string][] = [
  ["nothing done", () => {}],
  ["read, left as bytes", readAndLeave((bytes) => bytes)],
  ["read, left as a text", readAndLeave(String)],
  ["read and parsed", readAndParse],
  ["read and parsed with a key to the prototype", readAndParse, toPrototype],
  ["an empty object left there, and nothing read", leaveUnread({})],
  ["told to give texts", (req) => void req.setEncoding("utf8")],
  ["watched", (req) => void req.on("data", () => {})],
  ["come in whole, but not read", arrival],
];

/** What they may have done so that nothing passes. */
const LOST: readonly [handled: string, before: Handler, ending: Ending, statuses: number[]][] = [
  ["read and lost", async (req) => void (await readAll(req)), "body-taken", [503]],
  ["read and lost, with the empty object that parsers leave", readAndLeave(() => ({})), "body-taken", [503]],
  ["read, left as bytes beyond the limit", readAndLeave(() => Buffer.alloc(2_049, " ")), "too-large", [413]],
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
  ["given up", (req) => void req.destroy(), "aborted", []],
];

describe("the body of a request", () => {
  let server: GateServer;
  const start = async (): Promise<void> => {
    server = await GateServer.start({ "/open": { bodyTimeout: 60_000 } });
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

  it("joins pieces of any size, also cut within characters", async () => {
    await start();
    const { answers } = await sendRaw(server.port, { bytes: request(EVENT), answers: 1, split: true });
    assert.equal(answers[0]?.status, 200);
    assert.deepEqual(server.emitted[0]?.value, MESSAGE);
    assert.equal(String(server.emitted[0]?.raw), EVENT);
  });
});
