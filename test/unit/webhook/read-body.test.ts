import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { GateSettings } from "../../../lib/webhook/gates";
import { type Ending, GateServer } from "./gate-server";
import { sendRaw, waitForQuick } from "./raw-connection";
import { MESSAGE } from "./sample-events";

type Request = IncomingMessage & { body?: unknown };

const EVENT = JSON.stringify(MESSAGE);
const TYPE = "POST /open HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
const request = (body: string, type = TYPE): string => {
  const bytes = Buffer.from(body).toString("latin1");
  return `${type}Content-Length: ${bytes.length}\r\n\r\n${bytes}`;
};

const leave = (req: Request, body: unknown): void => {
  req.body = body;
};

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

const circular: Record<string, unknown> = {};
circular.self = circular;
const abyss = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));

interface Case {
  readonly name: string;
  readonly before: (req: Request) => void | Promise<void>;
  readonly body?: string;
  readonly ending: Ending;
  /** Raw bytes that pass, where something does. */
  readonly raw?: string;
}

/** What other handlers may have done to a request, and what becomes of it. */
const HANDLED: readonly Case[] = [
  { name: "nothing done", before: () => {}, ending: "inbound", raw: EVENT },
  {
    name: "read, left as bytes",
    before: async (req) => leave(req, await readAll(req)),
    ending: "inbound",
    raw: EVENT,
  },
  {
    name: "read, left as an array of bytes",
    before: async (req) => leave(req, new Uint8Array(await readAll(req))),
    ending: "inbound",
    raw: EVENT,
  },
  {
    name: "read, left as a text",
    before: async (req) => leave(req, String(await readAll(req))),
    ending: "inbound",
    raw: EVENT,
  },
  {
    name: "read and parsed",
    before: async (req) => leave(req, JSON.parse(String(await readAll(req)))),
    ending: "inbound",
    raw: EVENT,
  },
  {
    name: "read and parsed to nothing",
    body: "null",
    before: async (req) => leave(req, JSON.parse(String(await readAll(req)))),
    ending: "unrecognised",
    raw: "null",
  },
  {
    name: "read and parsed to an empty object",
    body: "{}",
    before: async (req) => leave(req, JSON.parse(String(await readAll(req)))),
    ending: "unrecognised",
    raw: "{}",
  },
  { name: "read and lost", before: async (req) => void (await readAll(req)), ending: "body-taken" },
  {
    name: "read and lost, with the empty object that parsers leave",
    before: async (req) => {
      await readAll(req);
      req.body = {};
    },
    ending: "body-taken",
  },
  {
    name: "read, left as something that is no JSON",
    before: async (req) => {
      await readAll(req);
      req.body = circular;
    },
    ending: "body-taken",
  },
  {
    name: "read, left as a function",
    before: async (req) => {
      await readAll(req);
      req.body = () => EVENT;
    },
    ending: "body-taken",
  },
  {
    name: "read and parsed to an abyss",
    before: async (req) => {
      await readAll(req);
      req.body = abyss(100_000);
    },
    ending: "body-taken",
  },
  {
    name: "read and parsed with a key to the prototype",
    before: async (req) => {
      await readAll(req);
      req.body = JSON.parse('{"__proto__":{"polluted":1}}');
    },
    ending: "unrecognised",
    raw: '{"__proto__":{"polluted":1}}',
  },
  {
    name: "read, left as bytes beyond the limit",
    before: async (req) => {
      await readAll(req);
      req.body = Buffer.alloc(2_049, " ");
    },
    ending: "too-large",
  },
  {
    name: "read, left as a value beyond the limit",
    before: async (req) => {
      await readAll(req);
      req.body = { a: "x".repeat(2_049) };
    },
    ending: "too-large",
  },
  {
    name: "read, left as an empty text",
    before: async (req) => {
      await readAll(req);
      req.body = "";
    },
    ending: "empty",
  },
  {
    name: "an empty object left there, and nothing read",
    before: (req) => leave(req, {}),
    ending: "inbound",
    raw: EVENT,
  },
  {
    name: "some other body left there, and nothing read",
    before: (req) => leave(req, { a: 1 }),
    ending: "inbound",
    raw: EVENT,
  },
  { name: "paused", before: (req) => void req.pause(), ending: "inbound", raw: EVENT },
  {
    name: "told to give texts",
    before: (req) => void req.setEncoding("utf8"),
    ending: "inbound",
    raw: EVENT,
  },
  {
    name: "told to give Base64",
    before: (req) => void req.setEncoding("base64"),
    ending: "inbound",
    raw: EVENT,
  },
  { name: "watched", before: (req) => void req.on("data", () => {}), ending: "inbound", raw: EVENT },
  {
    name: "come in whole, but not read",
    before: arrival,
    ending: "inbound",
    raw: EVENT,
  },
  {
    name: "read to the last byte, but not to the end",
    before: async (req) => {
      await arrival(req);
      req.body = req.read();
      assert.equal(req.readableEnded, false);
    },
    ending: "inbound",
    raw: EVENT,
  },
  {
    name: "read in part",
    before: async (req) => {
      await once(req, "readable");
      req.body = req.read(2);
    },
    ending: "body-taken",
  },
  {
    name: "waited for by a handler that never reads",
    before: (req) => void req.on("readable", () => {}),
    ending: "slow-body",
  },
  { name: "given up", before: (req) => void req.destroy(), ending: "aborted" },
];

describe("the body of a request", () => {
  let server: GateServer;
  const start = async (settings: Partial<GateSettings> = {}): Promise<void> => {
    server = await GateServer.start({ "/open": { bodyTimeout: 300, ...settings } });
  };
  afterEach(() => server.stop());

  for (const { name, before, body = EVENT, ending, raw } of HANDLED) {
    it(`${name} by a handler in front → ${ending}`, async () => {
      await start();
      server.before = before;
      const { answers } = await sendRaw(server.port, { bytes: request(body), answers: 1 });
      const status = { "body-taken": 503, "slow-body": 408, "too-large": 413 }[ending as string];
      const refused = raw === undefined ? (status ?? 400) : 200;
      assert.deepEqual(server.endings, [ending]);
      assert.deepEqual(
        answers.map((answer) => answer.status),
        ending === "aborted" ? [] : [refused],
      );
      assert.deepEqual(
        server.emitted.map((passed) => String(passed.raw)),
        raw === undefined ? [] : [raw],
      );
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
