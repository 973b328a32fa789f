import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { GatewaySettings } from "../../../../lib/gateway/contract/settings";
import type { Transfer } from "../../../../lib/gateway/http/body/transfer";
import type { Verdict } from "../../../../lib/gateway/codec/verdict";
import type { Batch } from "../../../../lib/gateway/queue/dispatcher";
import { CLIENT_SECRET, PASSWORD, sms, UUID, whatsapp } from "../../../support/gateway/gateway-settings";
import {
  brief,
  isToken,
  type Reply,
  TOKEN,
  useGateway,
  withTokens,
} from "../../../support/gateway/use-gateway";
import { ACCEPTED, answer, type SeenRequest } from "../../../support/http/fault-server";
import { collect } from "../../../support/small-collections";
import { waitFor } from "../../../support/wait-for";

/**
 * A hostile or foreign gateway: every answer of it ends as one outcome, takes a bounded amount of
 * memory and time, and gets nothing that it did not have.
 */

const MIB = 1024 * 1024;
/** Memory that an answer may need while it is read, buffers of the test's own side included. */
const MOST = 48 * MIB;
const HUGE = 100 * MIB;
const ZEROS = Buffer.alloc(HUGE);

const UNREADABLE = "unknown ANSWER_UNREADABLE";
const LOST = "unknown CONNECTION_LOST";
const NO_ANSWER = "unknown NO_ANSWER";

const DOWNLOAD: Batch = { operation: "media-download", fields: { mediaId: UUID } };
const OK = answer(200, '{"statusCode":2000,"transferId":"t"}');
const HEAD = "HTTP/1.1 200 OK\r\n";
/** The head of an answer whose body has no announced length. */
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;
const announced = (status: number): string => `HTTP/1.1 ${status} Words\r\ncontent-length: ${HUGE}\r\n\r\n`;

/**
 * Writes a piece again and again, at the reader's pace, until enough was written or the connection is gone. A write that failed is told
 * before the connection counts as destroyed, and another one then would be told at once, without end.
 */
function pour(socket: Socket, head: string, piece: string, most = Infinity): void {
  let written = 0;
  const more = (failure?: Error | null): void => {
    if (!failure && !socket.destroyed && written < most) {
      written += piece.length;
      socket.write(piece, more);
    }
  };
  socket.write(head, more);
}

const pouring =
  (head: string, piece: string, most?: number): Reply =>
  (socket) =>
    pour(socket, head, piece, most);

const saying =
  (status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Reply =>
  (socket) => {
    socket.write(answer(status, "", { "content-length": String(Buffer.byteLength(body)), ...headers }));
    socket.write(body);
  };

/** Bytes of memory that are taken, in the heap and beside it, where the pieces of answers stand; some are not needed any more. */
function taken(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Bytes of memory that are still needed. */
function inUse(): number {
  collect("everything");
  return taken();
}

/** Bytes that are needed beyond those of before, or more. The collector, which takes long, runs only where they may be too many. */
function growth(before: number): number {
  const most = taken() - before;
  return most < MOST ? most : inUse() - before;
}

const whole = (requests: readonly SeenRequest[]): string =>
  requests.map(({ head, body }) => `${head}\r\n\r\n${body}`).join();

describe("a hostile gateway", () => {
  const { serve, clientOf, send, ask } = useGateway();

  const askAs = (batch: Batch, address: string, changed?: Partial<GatewaySettings>): Promise<Verdict> =>
    send(clientOf(address, changed), batch);

  describe("answers without end", () => {
    interface More {
      readonly asked?: Batch;
      readonly transfer?: Transfer;
      /** ms; for what only time can end. */
      readonly answerTimeout?: number;
    }
    const piece = "x".repeat(64 * 1024);
    const chunk = `10000\r\n${piece}\r\n`;
    const soon: More = { answerTimeout: 300 };
    const fileUpTo = (limit: number): More => ({ asked: DOWNLOAD, transfer: { limit } });
    const cases: readonly [what: string, reply: Reply, ends: string, more?: More][] = [
      ["a body of 100 MB, with its length", pouring(announced(200), piece, HUGE), UNREADABLE],
      ["a body of 100 MB, in chunks", pouring(CHUNKED, chunk, HUGE), UNREADABLE],
      ["a body of 100 MB, to be ended by closing", pouring(`${HEAD}\r\n`, piece, HUGE), UNREADABLE],
      ["a body of 100 MB with a refusal", pouring(announced(400), piece, HUGE), UNREADABLE],
      [
        "a refused download's body of 100 MB",
        pouring(announced(404), piece, HUGE),
        UNREADABLE,
        fileUpTo(1000),
      ],
      [
        "a file larger than allowed, without its length",
        pouring(CHUNKED, chunk, HUGE),
        "rejected FILE_TOO_LARGE",
        fileUpTo(MIB),
      ],
      [
        "100 MB around a body of 1,700 bytes",
        pouring(CHUNKED, `1;${"y".repeat(60 * 1024)}\r\na\r\n`, HUGE),
        NO_ANSWER,
        { answerTimeout: 4_000 },
      ],
      [
        "a body in chunks of a byte",
        pouring(CHUNKED, "1\r\na\r\n".repeat(10_000)),
        UNREADABLE,
        // Hundreds of thousands of chunks, which a busy computer takes seconds for.
        { answerTimeout: 20_000 },
      ],
      ["a chunk whose length is followed by words", pouring(`${CHUNKED}5;`, piece), NO_ANSWER, soon],
      ["a status line", pouring("HTTP/1.1 200 ", piece), NO_ANSWER, soon],
      ["one header", pouring(`${HEAD}x: `, piece), UNREADABLE],
      ["many short headers", pouring(HEAD, "a:b\r\n".repeat(1_000)), UNREADABLE],
      ["trailers", pouring(`${CHUNKED}0\r\n`, "a:b\r\n".repeat(1_000)), UNREADABLE],
      [
        "provisional answers",
        pouring("", "HTTP/1.1 102 Processing\r\nx: y\r\n\r\n".repeat(100)),
        NO_ANSWER,
        soon,
      ],
      [
        "offers to change the protocol",
        pouring("", "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
        LOST,
      ],
    ];
    for (const [what, reply, ends, { asked, transfer, answerTimeout = 5_000 } = {}] of cases) {
      it(`${what}: ${ends}`, async () => {
        const server = await serve(withTokens(reply));
        const client = clientOf(server.url, { answerTimeout });
        const before = inUse();
        let most = 0;
        const watch = setInterval(() => {
          most = Math.max(most, growth(before));
        }, 100);
        const verdict = await send(client, asked, transfer).finally(() => clearInterval(watch));
        assert.equal(brief(verdict), ends, verdict.statusMessage);
        most = Math.max(most, growth(before));
        assert.ok(most < MOST, `${most / MIB} MiB more were in use`);
        assert.equal(server.requests.filter((request) => !isToken(request)).length, 1);
        await client.destroy();
        await waitFor("the connection to close", () => server.sockets.size === 0);
      });
    }
  });

  describe("answers that are no answers", () => {
    const json = { "content-type": "application/json" };
    const deep = (open: string, close: string, times: number): string =>
      open.repeat(times) + close.repeat(times);
    const packed = (encoding: string, body: Buffer): Reply =>
      saying(200, body, { ...json, "content-encoding": encoding });
    const form = (body: string | Buffer): Reply => saying(200, body);
    const object = (body: string): Reply => saying(200, body, json);
    const accepted = (headers: Readonly<Record<string, string>>): Reply => saying(200, ACCEPTED, headers);
    const SENT_JSON = '"statusCode":2000,"statusMessage":"OK","transferId":"00670eb55d00349e1111"';
    const LISTS = deep("[", "]", 120_000);

    const endings: Readonly<Record<string, Readonly<Record<string, Reply>>>> = {
      [UNREADABLE]: {
        "a web page": saying(200, `<html><a href="?a=b&${ACCEPTED}">x</a></html>`, {
          "content-type": "text/html",
        }),
        "a bomb of gzip": packed("gzip", gzipSync(ZEROS)),
        "a bomb of deflate": packed("deflate", deflateSync(ZEROS)),
        "a bomb of br": packed("br", brotliCompressSync(ZEROS)),
        "a bomb in a bomb": saying(200, gzipSync(gzipSync(ZEROS)), { "content-encoding": "gzip, gzip" }),
        "lists in lists": object(LISTS),
        "objects in objects": object(deep('{"a":', "}", 40_000).replace(":}", ":1}")),
        "objects that never close": object('{"statusCode":2000,"a":'.repeat(10_000)),
        "a property named __proto__": object(`{"__proto__":{${SENT_JSON}}}`),
        "a property named constructor": object(`{"constructor":{"prototype":{${SENT_JSON}}}}`),
        "bytes that are no text": form(Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80])),
        "a status that does not exist, alone": saying(999, ""),
        "a status of nothing": (socket) => socket.end(answer(0, ACCEPTED)),
        "a status of four digits": (socket) => socket.end(answer(2000, ACCEPTED)),
      },
      [LOST]: {
        "a transfer encoding that was not requested": saying(200, gzipSync(ACCEPTED), {
          "transfer-encoding": "gzip",
        }),
        "two lengths": `${HEAD}content-length: 5\r\ncontent-length: ${ACCEPTED.length}\r\n\r\n${ACCEPTED}`,
        "a length and chunks": `${HEAD}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
        "a header with an empty byte": accepted({ x: "a\0b" }),
        "a header folded into two lines": accepted({ x: "a\r\n b" }),
      },
      "sent OK": {
        "success beside lists in lists": object(`{${SENT_JSON},"x":${LISTS}}`),
        "success with bytes that are no text": form(
          Buffer.concat([Buffer.from(`${ACCEPTED}&x=`), Buffer.from([0xff, 0xc0])]),
        ),
        cookies: accepted({ "set-cookie": "session=1; Path=/" }),
        "headers named like parts of objects": accepted({
          __proto__x: "1",
          ["__proto__"]: "1",
          constructor: "1",
          hasownproperty: "1",
        }),
      },
      "denied HTTP_403": { "a web page's refusal": saying(403, "<html>statusCode=2000</html>") },
      "unknown ANSWER_CONTRADICTORY": { "a status that does not exist": saying(999, ACCEPTED) },
      "unknown HTTP_503": {
        "a wait of a thousand digits": saying(503, "", { "retry-after": "9".repeat(1000) }),
      },
    };
    /** Bytes before the first of these answers. */
    let needed = 0;
    before(() => {
      needed = inUse();
    });

    for (const [ends, replies] of Object.entries(endings)) {
      for (const [what, reply] of Object.entries(replies)) {
        it(`${what}: ${ends}`, async () => {
          const server = await serve(reply);
          const verdict = await ask(server.url);
          assert.equal(brief(verdict), ends, verdict.statusMessage);
          assert.ok(growth(needed) < MOST);
          assert.equal(server.requests.length, 1);
          assert.equal(Object.keys(Object.prototype).length, 0);
          assert.equal(({} as { statusCode?: number }).statusCode, undefined);
        });
      }
    }
  });

  it("is asked for nothing that has to be unpacked", async () => {
    const server = await serve(withTokens(OK));
    const client = clientOf(server.url);
    const fields = { file: { data: Buffer.from("x"), name: "a.txt", type: "text/plain" } };
    for (const asked of [
      sms(),
      { ...sms(), operation: "sms-get" },
      { ...sms(), operation: "sms-json" },
      whatsapp(),
      DOWNLOAD,
      { operation: "media-upload", fields },
      { operation: "attachment-create", fields },
    ] as const) {
      await send(client, asked);
    }
    // Seven requests, and a token for each of three scopes.
    const encodings = server.requests.map(({ headers }) => headers["accept-encoding"]);
    assert.deepEqual(encodings, Array(10).fill("identity"));
  });

  describe("where our credentials go", () => {
    const inQuery = { legacy: { method: "token-query", accessToken: "acc3ss-token" } } as const;
    const requests: readonly [what: string, asked: Batch, changed?: Partial<GatewaySettings>][] = [
      ["a form", sms()],
      ["a link with a token", { ...sms(), operation: "sms-get" }, inQuery],
      ["a message with an OAuth token", whatsapp()],
      ["a download", DOWNLOAD],
    ];
    for (const [what, asked, changed] of requests) {
      for (const status of [301, 302, 303, 307, 308]) {
        it(`not to where ${status} sends ${what}`, async () => {
          const other = await serve();
          const places = {
            location: `${other.url}/elsewhere`,
            refresh: `0; url=${other.url}`,
            "content-location": other.url,
            "alt-svc": `h2="127.0.0.1:${other.port}"`,
          };
          const server = await serve(withTokens(answer(status, "", places)));
          const verdict = await askAs(asked, server.url, changed);
          assert.equal(brief(verdict), `denied HTTP_${status}`);
          assert.match(verdict.advice, /address/);
          assert.equal(other.connections, 0);
        });
      }
    }

    it("not to where the token service sends them, and nothing is sent without a token", async () => {
      const other = await serve();
      const location = `${other.url}/oauth/token`;
      const server = await serve(saying(307, '{"access_token":"tok"}', { location }));
      assert.equal(brief(await askAs(whatsapp(), server.url)), "denied TOKEN_REFUSED");
      assert.deepEqual([other.connections, server.requests.length], [0, 1]);
    });

    it("each only to its own service: client secret to the token service, token to the other", async () => {
      const tokens = await serve(TOKEN);
      const service = await serve(OK);
      const client = clientOf(service.url, { tokenAddress: tokens.url });
      assert.equal((await send(client, whatsapp())).outcome, "sent");
      assert.equal((await send(client)).outcome, "sent");
      const kinds = [tokens, service].map(({ requests }) =>
        requests.map(({ headers }) => headers.authorization?.split(" ")[0]),
      );
      assert.deepEqual(kinds, [["Basic"], ["Bearer", "Basic"]]);
      const holds = (requests: readonly SeenRequest[], pair: string): boolean =>
        whole(requests).includes(Buffer.from(pair).toString("base64"));
      assert.ok(holds(tokens.requests, `client-7:${CLIENT_SECRET}`));
      assert.ok(!holds(service.requests, `client-7:${CLIENT_SECRET}`));
      assert.ok(holds(service.requests, `alice:${PASSWORD}`));
      assert.ok(!holds(tokens.requests, `alice:${PASSWORD}`));
    });

    it("no cookie comes back", async () => {
      const server = await serve(answer(200, ACCEPTED, { "set-cookie": "session=abc; Path=/; HttpOnly" }));
      const client = clientOf(server.url);
      await send(client);
      await send(client);
      assert.equal(server.requests.length, 2);
      assert.doesNotMatch(whole(server.requests), /cookie|session/i);
    });
  });

  describe("a token service", () => {
    const tokenOf = (token: unknown): Reply =>
      saying(200, JSON.stringify({ access_token: token, expires_in: 300 }));
    const replies: Readonly<Record<string, Reply>> = {
      "a bomb": saying(200, gzipSync(ZEROS), { "content-encoding": "gzip" }),
      "a body of 100 MB": pouring(announced(200), "x".repeat(65_536), HUGE),
      "a token with a header behind it": tokenOf("abcd\r\nx-injected: 1"),
      "a token in __proto__": saying(200, '{"__proto__":{"access_token":"abcd"}}'),
    };
    for (const [what, reply] of Object.entries(replies)) {
      it(`that gives ${what}: nothing is sent`, async () => {
        const server = await serve(reply);
        const verdict = await askAs(whatsapp(), server.url);
        assert.equal(brief(verdict), "retry-later TOKEN_UNAVAILABLE", verdict.statusMessage);
        assert.deepEqual(server.requests.map(isToken), [true]);
      });
    }

    for (const expires of ["1e999", "-1", "null", '"soon"', "{}", "1e-300", "99999999999999999999"]) {
      it(`that gives a token for ${expires} seconds: it is used, and replaced once it is refused`, async () => {
        let given = 0;
        const server = await serve((socket, request) => {
          const isOld = request.headers.authorization === "Bearer t0ken-1";
          const token = (): string =>
            answer(200, `{"access_token":"t0ken-${++given}","expires_in":${expires}}`);
          socket.write(isToken(request) ? token() : isOld ? answer(401, "") : OK);
        });
        const { outcome, attempts } = await askAs(whatsapp(), server.url);
        assert.deepEqual([outcome, attempts, given], ["sent", 2, 2]);
      });
    }
  });

  describe("its words", () => {
    /** Escape sequences, line breaks and marks that turn a line around, as a terminal or a log would take them. */
    const CONTROLS = "a\r\n[error] forged line\u001b[2J\u009b31m\u0000\u202eb\u2028c";
    const texts = ({ statusMessage, transferId, clientMessageId, data }: Verdict): string[] =>
      [statusMessage, transferId, clientMessageId, ...Object.values(data ?? {})].filter(
        (text) => typeof text === "string",
      );
    const words = (said: string): string =>
      JSON.stringify({ statusCode: 4003, statusMessage: said, clientMessageId: said, attachmentId: said });

    it("hold no line break and no escape sequence", async () => {
      const server = await serve(saying(200, words(CONTROLS)));
      const verdict = await ask(server.url);
      assert.equal(verdict.outcome, "rejected");
      assert.equal(texts(verdict).length, 3);
      for (const text of texts(verdict)) {
        assert.match(text, /forged line/);
        assert.doesNotMatch(text, /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
      }
    });

    it("are short, and a secret is not cut in two where they end", async () => {
      const server = await serve(saying(200, words(`${PASSWORD} `.repeat(4_000))));
      const verdict = await ask(server.url);
      assert.equal(texts(verdict).length, 3);
      for (const text of texts(verdict)) {
        assert.ok(text.length < 5_000, `${text.length} characters`);
        assert.doesNotMatch(text, /p&|wörd/);
      }
    });

    it("of the token service as well", async () => {
      const said = { error: CONTROLS, error_description: "x".repeat(200_000) };
      const server = await serve(saying(400, JSON.stringify(said)));
      const { statusName, statusMessage } = await askAs(whatsapp(), server.url);
      assert.equal(statusName, "TOKEN_REFUSED");
      assert.ok(statusMessage.length < 5_000);
      assert.match(statusMessage, /forged line/);
      assert.doesNotMatch(statusMessage, /\p{Cc}/u);
    });
  });
});
