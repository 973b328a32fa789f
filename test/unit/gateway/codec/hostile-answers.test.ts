import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { GatewayClient } from "../../../../lib/gateway/client/gateway-client";
import type { OperationId } from "../../../../lib/gateway/contract/operations";
import type { GatewaySettings } from "../../../../lib/gateway/contract/settings";
import { REAL_TIMING } from "../../../../lib/gateway/http/timing";
import type { Transfer } from "../../../../lib/gateway/http/body/transfer";
import type { Verdict } from "../../../../lib/gateway/codec/verdict";
import {
  ACCEPTED,
  answer,
  type FaultPlan,
  FaultServer,
  type SeenRequest,
} from "../../../support/http/fault-server";
import { collect } from "../../../support/small-collections";
import { waitFor } from "../../../support/wait-for";
import {
  CLIENT_SECRET,
  newGates,
  PASSWORD,
  settingsFor,
  sms,
  whatsapp,
} from "../../../support/gateway/gateway-settings";

/**
 * A hostile or foreign gateway: every answer of it ends as one outcome, takes a bounded amount of
 * memory and time, and gets nothing that it did not have.
 */

const MIB = 1024 * 1024;
/** Memory that an answer may need while it is read, buffers of the test's own side included. */
const MOST = 32 * MIB;
const HUGE = 100 * MIB;
const ZEROS = Buffer.alloc(HUGE);
const TOKEN = JSON.stringify({ access_token: "t0ken-of-the-service", expires_in: 300 });

type OnRequest = NonNullable<FaultPlan["onRequest"]>;

/** The head of an answer whose body has no announced length. */
const CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

/** Writes a piece again and again, at the reader's pace, until enough was written or the connection is gone. */
function pour(socket: Socket, head: string, piece: string | Buffer, most = Infinity): void {
  let written = 0;
  const more = (): void => {
    if (!socket.destroyed && written < most) {
      written += piece.length;
      socket.write(piece, more);
    }
  };
  socket.write(head, more);
}

const pouring =
  (head: string, piece: string | Buffer, most?: number): OnRequest =>
  (_request, socket) =>
    pour(socket, head, piece, most);

const saying =
  (status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): OnRequest =>
  (_request, socket) => {
    socket.write(answer(status, "", { "content-length": String(Buffer.byteLength(body)), ...headers }));
    socket.write(body);
  };

/** Bytes of memory that are still needed, in the heap and beside it, where the pieces of answers stand. */
function inUse(): number {
  collect("everything");
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe("a hostile gateway", function () {
  this.timeout(30_000);
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) {
      await close();
    }
  });

  async function serve(plan: FaultPlan): Promise<FaultServer> {
    const server = await FaultServer.start(plan);
    closers.push(() => server.close());
    return server;
  }

  /** Serves tokens, and everything else by `onRequest`. */
  const serveWithTokens = (onRequest: OnRequest): Promise<FaultServer> =>
    serve({
      onRequest: (request, socket) =>
        request.target.endsWith("/oauth/token")
          ? socket.write(answer(200, TOKEN))
          : onRequest(request, socket),
    });

  function clientOf(address: string, changed: Partial<GatewaySettings> = {}): GatewayClient {
    const client = new GatewayClient(settingsFor(address, changed), REAL_TIMING);
    closers.push(() => client.destroy());
    return client;
  }

  interface Asked {
    readonly operation: OperationId;
    readonly fields: Readonly<Record<string, unknown>>;
  }
  const DOWNLOAD: Asked = {
    operation: "media-download",
    fields: { mediaId: "123e4567-e89b-12d3-a456-426614174000" },
  };

  const ask = (client: GatewayClient, { operation, fields }: Asked, transfer?: Transfer): Promise<Verdict> =>
    client.attempt(client.prepare(operation, fields), newGates(), transfer);

  const named = ({ outcome, statusName }: Verdict): string => `${outcome} ${statusName}`;
  const whole = (request: SeenRequest): string => `${request.head}\r\n\r\n${request.body.toString()}`;

  describe("answers without end", () => {
    interface Case {
      readonly what: string;
      readonly asked?: Asked;
      readonly onRequest: OnRequest;
      readonly ends: string;
      readonly transfer?: Transfer;
      /** ms; for what only time can end. */
      readonly answerTimeout?: number;
    }
    const announced = (status: number): string =>
      `HTTP/1.1 ${status} Words\r\ncontent-length: ${HUGE}\r\n\r\n`;
    const piece = "x".repeat(64 * 1024);
    const padded = "y".repeat(60 * 1024);
    const cases: readonly Case[] = [
      {
        what: "a body of 100 MB, with its length",
        onRequest: pouring(announced(200), piece, HUGE),
        ends: "unknown ANSWER_UNREADABLE",
      },
      {
        what: "a body of 100 MB, in chunks",
        onRequest: pouring(CHUNKED, `10000\r\n${piece}\r\n`, HUGE),
        ends: "unknown ANSWER_UNREADABLE",
      },
      {
        what: "a body of 100 MB, to be ended by closing",
        onRequest: pouring("HTTP/1.1 200 OK\r\n\r\n", piece, HUGE),
        ends: "unknown ANSWER_UNREADABLE",
      },
      {
        what: "a body of 100 MB with a refusal",
        onRequest: pouring(announced(400), piece, HUGE),
        ends: "unknown ANSWER_UNREADABLE",
      },
      {
        what: "a refused download's body of 100 MB",
        asked: DOWNLOAD,
        transfer: { limit: 1000 },
        onRequest: pouring(announced(404), piece, HUGE),
        ends: "unknown ANSWER_UNREADABLE",
      },
      {
        what: "a file larger than allowed, without its length",
        asked: DOWNLOAD,
        transfer: { limit: MIB },
        onRequest: pouring(CHUNKED, `10000\r\n${piece}\r\n`, HUGE),
        ends: "rejected FILE_TOO_LARGE",
      },
      {
        what: "100 MB around a body of 1,700 bytes",
        onRequest: pouring(CHUNKED, `1;${padded}\r\na\r\n`, HUGE),
        answerTimeout: 4_000,
        ends: "unknown NO_ANSWER",
      },
      {
        what: "a body in chunks of a byte",
        onRequest: pouring(CHUNKED, "1\r\na\r\n".repeat(10_000)),
        // Hundreds of thousands of chunks, which a busy computer takes seconds for.
        answerTimeout: 20_000,
        ends: "unknown ANSWER_UNREADABLE",
      },
      {
        what: "a chunk whose length is followed by words",
        onRequest: pouring(`${CHUNKED}5;`, piece),
        answerTimeout: 300,
        ends: "unknown NO_ANSWER",
      },
      {
        what: "a status line",
        onRequest: pouring("HTTP/1.1 200 ", piece),
        answerTimeout: 300,
        ends: "unknown NO_ANSWER",
      },
      {
        what: "one header",
        onRequest: pouring("HTTP/1.1 200 OK\r\nx: ", piece),
        ends: "unknown ANSWER_UNREADABLE",
      },
      {
        what: "many short headers",
        onRequest: pouring("HTTP/1.1 200 OK\r\n", "a:b\r\n".repeat(1_000)),
        ends: "unknown ANSWER_UNREADABLE",
      },
      {
        what: "trailers",
        onRequest: pouring(`${CHUNKED}0\r\n`, "a:b\r\n".repeat(1_000)),
        ends: "unknown ANSWER_UNREADABLE",
      },
      {
        what: "provisional answers",
        onRequest: pouring("", "HTTP/1.1 102 Processing\r\nx: y\r\n\r\n".repeat(100)),
        answerTimeout: 300,
        ends: "unknown NO_ANSWER",
      },
      {
        what: "offers to change the protocol",
        onRequest: pouring("", "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
        ends: "unknown CONNECTION_LOST",
      },
    ];
    for (const { what, asked = sms(), onRequest, ends, transfer, answerTimeout } of cases) {
      it(`${what}: ${ends}`, async () => {
        const server = await serveWithTokens(onRequest);
        const client = clientOf(server.url, answerTimeout === undefined ? {} : { answerTimeout });
        const before = inUse();
        let most = before;
        const watch = setInterval(() => {
          most = Math.max(most, inUse());
        }, 100);
        const verdict = await ask(client, asked, transfer).finally(() => clearInterval(watch));
        assert.equal(named(verdict), ends, verdict.statusMessage);
        assert.ok(most - before < MOST, `${(most - before) / MIB} MiB more were in use`);
        const sends = server.requests.filter(({ target }) => !target.endsWith("/oauth/token"));
        assert.equal(sends.length, 1);
        await client.destroy();
        await waitFor("the connection to close", () => server.sockets.size === 0);
      });
    }
  });

  describe("answers that are no answers", () => {
    const json = { "content-type": "application/json" };
    const deep = (open: string, close: string, times: number): string =>
      open.repeat(times) + close.repeat(times);
    const SENT_JSON = '"statusCode":2000,"statusMessage":"OK","transferId":"00670eb55d00349e1111"';
    const cases: readonly [what: string, onRequest: OnRequest, ends: string][] = [
      [
        "a web page",
        saying(200, `<html><a href="?a=b&${ACCEPTED}">x</a></html>`, { "content-type": "text/html" }),
        "unknown ANSWER_UNREADABLE",
      ],
      ["a web page's refusal", saying(403, "<html>statusCode=2000</html>"), "denied HTTP_403"],
      [
        "a bomb of gzip",
        saying(200, gzipSync(ZEROS), { ...json, "content-encoding": "gzip" }),
        "unknown ANSWER_UNREADABLE",
      ],
      [
        "a bomb of deflate",
        saying(200, deflateSync(ZEROS), { ...json, "content-encoding": "deflate" }),
        "unknown ANSWER_UNREADABLE",
      ],
      [
        "a bomb of br",
        saying(200, brotliCompressSync(ZEROS), { ...json, "content-encoding": "br" }),
        "unknown ANSWER_UNREADABLE",
      ],
      [
        "a bomb in a bomb",
        saying(200, gzipSync(gzipSync(ZEROS)), { "content-encoding": "gzip, gzip" }),
        "unknown ANSWER_UNREADABLE",
      ],
      [
        "a transfer encoding that was not requested",
        saying(200, gzipSync(ACCEPTED), { "transfer-encoding": "gzip" }),
        "unknown CONNECTION_LOST",
      ],
      ["lists in lists", saying(200, deep("[", "]", 120_000), json), "unknown ANSWER_UNREADABLE"],
      [
        "objects in objects",
        saying(200, deep('{"a":', "}", 40_000).replace(":}", ":1}"), json),
        "unknown ANSWER_UNREADABLE",
      ],
      [
        "objects that never close",
        saying(200, '{"statusCode":2000,"a":'.repeat(10_000), json),
        "unknown ANSWER_UNREADABLE",
      ],
      [
        "success beside lists in lists",
        saying(200, `{${SENT_JSON},"x":${deep("[", "]", 120_000)}}`, json),
        "sent OK",
      ],
      [
        "a property named __proto__",
        saying(200, `{"__proto__":{${SENT_JSON}}}`, json),
        "unknown ANSWER_UNREADABLE",
      ],
      [
        "a property named constructor",
        saying(200, `{"constructor":{"prototype":{${SENT_JSON}}}}`, json),
        "unknown ANSWER_UNREADABLE",
      ],
      [
        "form fields named like parts of objects",
        saying(200, `__proto__=2000&constructor=2000&statusCode[__proto__]=2000`),
        "unknown ANSWER_UNREADABLE",
      ],
      ["a code that is no number", saying(200, '{"statusCode":NaN}', json), "unknown ANSWER_UNREADABLE"],
      ["a code too large to be one", saying(200, '{"statusCode":2e999}', json), "unknown ANSWER_UNREADABLE"],
      [
        "a code of a thousand digits",
        saying(200, `statusCode=${"2000".repeat(250)}`),
        "unknown ANSWER_UNREADABLE",
      ],
      ["a code in a list", saying(200, '{"statusCode":[2000]}', json), "unknown ANSWER_UNREADABLE"],
      ["a code with a fraction", saying(200, '{"statusCode":2000.5}', json), "unknown ANSWER_UNREADABLE"],
      ["a code below zero", saying(200, "statusCode=-2000"), "unknown ANSWER_UNREADABLE"],
      ["two codes", saying(200, "statusCode=2000&statusCode=4003"), "unknown ANSWER_UNREADABLE"],
      [
        "bytes that are no text",
        saying(200, Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80])),
        "unknown ANSWER_UNREADABLE",
      ],
      [
        "success with bytes that are no text",
        saying(200, Buffer.concat([Buffer.from(ACCEPTED), Buffer.from("&x="), Buffer.from([0xff, 0xc0])])),
        "sent OK",
      ],
      ["cookies", saying(200, ACCEPTED, { "set-cookie": "session=1; Path=/" }), "sent OK"],
      [
        "headers named like parts of objects",
        saying(200, ACCEPTED, { __proto__x: "1", ["__proto__"]: "1", constructor: "1", hasownproperty: "1" }),
        "sent OK",
      ],
      ["a status that does not exist", saying(999, ACCEPTED), "unknown ANSWER_CONTRADICTORY"],
      ["a status that does not exist, alone", saying(999, ""), "unknown ANSWER_UNREADABLE"],
      [
        "a status of nothing",
        (_request, socket) => socket.end(answer(0, ACCEPTED)),
        "unknown ANSWER_UNREADABLE",
      ],
      [
        "a status of four digits",
        (_request, socket) => socket.end(answer(2000, ACCEPTED)),
        "unknown ANSWER_UNREADABLE",
      ],
      [
        "two lengths",
        (_request, socket) =>
          socket.write(
            `HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: ${ACCEPTED.length}\r\n\r\n${ACCEPTED}`,
          ),
        "unknown CONNECTION_LOST",
      ],
      [
        "a length and chunks",
        (_request, socket) =>
          socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
        "unknown CONNECTION_LOST",
      ],
      ["a header with an empty byte", saying(200, ACCEPTED, { x: "a\0b" }), "unknown CONNECTION_LOST"],
      ["a header folded into two lines", saying(200, ACCEPTED, { x: "a\r\n b" }), "unknown CONNECTION_LOST"],
      [
        "a wait of a thousand digits",
        saying(503, "", { "retry-after": "9".repeat(1000) }),
        "unknown HTTP_503",
      ],
    ];
    for (const [what, onRequest, ends] of cases) {
      it(`${what}: ${ends}`, async () => {
        const server = await serve({ onRequest });
        const client = clientOf(server.url);
        const before = inUse();
        const verdict = await ask(client, sms());
        assert.equal(named(verdict), ends, verdict.statusMessage);
        assert.ok(inUse() - before < MOST);
        assert.equal(server.requests.length, 1);
        assert.equal(Object.keys(Object.prototype).length, 0);
        assert.equal(({} as { statusCode?: number }).statusCode, undefined);
      });
    }
  });

  it("is asked for nothing that has to be unpacked", async () => {
    const server = await serveWithTokens(saying(200, '{"statusCode":2000,"transferId":"t"}'));
    const client = clientOf(server.url);
    const file = { data: Buffer.from("x"), name: "a.txt", type: "text/plain" };
    for (const asked of [
      sms(),
      { ...sms(), operation: "sms-get" },
      { ...sms(), operation: "sms-json" },
      whatsapp(),
      DOWNLOAD,
      { operation: "media-upload", fields: { file } },
      { operation: "attachment-create", fields: { file } },
    ] as const) {
      await ask(client, asked);
    }
    // Seven requests, and a token for each of three scopes.
    assert.deepEqual(
      server.requests.map(({ headers }) => headers["accept-encoding"]),
      Array(10).fill("identity"),
    );
  });

  describe("where our credentials go", () => {
    const proofs = (requests: readonly SeenRequest[]): string[] =>
      requests.map(({ headers }) => (headers.authorization ?? "none").split(" ")[0] ?? "");
    const inQuery = { legacy: { kind: "token-query", accessToken: "acc3ss-token" } } as const;
    const asked: readonly [what: string, asked: Asked, changed: Partial<GatewaySettings>][] = [
      ["a form", sms(), {}],
      ["a link with a token", { ...sms(), operation: "sms-get" }, inQuery],
      ["a message with an OAuth token", whatsapp(), {}],
      ["a download", DOWNLOAD, {}],
    ];
    for (const [what, request, changed] of asked) {
      for (const status of [301, 302, 303, 307, 308]) {
        it(`not to where ${status} sends ${what}`, async () => {
          const other = await serve({});
          const places = {
            location: `${other.url}/elsewhere`,
            refresh: `0; url=${other.url}`,
            "content-location": other.url,
            "alt-svc": `h2="127.0.0.1:${other.port}"`,
          };
          const server = await serveWithTokens(saying(status, "", places));
          const verdict = await ask(clientOf(server.url, changed), request);
          assert.equal(named(verdict), `denied HTTP_${status}`);
          assert.match(verdict.advice, /address/);
          assert.equal(other.connections, 0);
        });
      }
    }

    it("not to where the token service sends them, and nothing is sent without a token", async () => {
      const other = await serve({});
      const server = await serve({ onRequest: saying(307, TOKEN, { location: `${other.url}/oauth/token` }) });
      const verdict = await ask(clientOf(server.url), whatsapp());
      assert.equal(named(verdict), "denied TOKEN_REFUSED");
      assert.deepEqual([other.connections, server.requests.length], [0, 1]);
    });

    it("each only to its own service: client secret to the token service, token to the other", async () => {
      const tokens = await serve({ onRequest: saying(200, TOKEN) });
      const service = await serve({ onRequest: saying(200, '{"statusCode":2000}') });
      const client = clientOf(service.url, { tokenAddress: tokens.url });
      assert.equal((await ask(client, whatsapp())).outcome, "sent");
      assert.equal((await ask(client, sms())).outcome, "sent");
      assert.deepEqual([proofs(tokens.requests), proofs(service.requests)], [["Basic"], ["Bearer", "Basic"]]);
      const basic = (pair: string): string => Buffer.from(pair).toString("base64");
      assert.ok(whole(tokens.requests[0] as SeenRequest).includes(basic(`client-7:${CLIENT_SECRET}`)));
      assert.ok(
        !service.requests
          .map(whole)
          .join()
          .includes(basic(`client-7:${CLIENT_SECRET}`)),
      );
      assert.ok(
        !tokens.requests
          .map(whole)
          .join()
          .includes(basic(`alice:${PASSWORD}`)),
      );
    });

    it("no cookie comes back", async () => {
      const server = await serve({
        onRequest: saying(200, ACCEPTED, { "set-cookie": "session=abc; Path=/; HttpOnly" }),
      });
      const client = clientOf(server.url);
      await ask(client, sms());
      await ask(client, sms());
      assert.equal(server.requests.length, 2);
      assert.doesNotMatch(server.requests.map(whole).join(), /cookie|session/i);
    });
  });

  describe("a token service", () => {
    const tokenOf = (token: unknown): string => JSON.stringify({ access_token: token, expires_in: 300 });
    const cases: readonly [what: string, onRequest: OnRequest][] = [
      ["a web page", saying(200, "<html>access_token</html>")],
      ["a bomb", saying(200, gzipSync(ZEROS), { "content-encoding": "gzip" })],
      [
        "a body of 100 MB",
        pouring(`HTTP/1.1 200 OK\r\ncontent-length: ${HUGE}\r\n\r\n`, "x".repeat(65_536), HUGE),
      ],
      ["a token with a header behind it", saying(200, tokenOf("abcd\r\nx-injected: 1"))],
      ["a token with a request behind it", saying(200, tokenOf("abcd\r\n\r\nGET /x HTTP/1.1\r\n\r\n"))],
      ["a token with a line break alone", saying(200, tokenOf("abcd\n"))],
      ["a token with an empty byte", saying(200, tokenOf("ab\0cd"))],
      ["a token with a space", saying(200, tokenOf("ab cd"))],
      ["a token in another script", saying(200, tokenOf("токен"))],
      ["a token that is an object", saying(200, tokenOf({ toString: "x" }))],
      ["a token in __proto__", saying(200, '{"__proto__":{"access_token":"abcd"}}')],
      ["a token too long for any header", saying(200, tokenOf("t".repeat(100_000)))],
    ];
    for (const [what, onRequest] of cases) {
      it(`that gives ${what}: nothing is sent`, async () => {
        const server = await serve({ onRequest });
        const verdict = await ask(clientOf(server.url), whatsapp());
        assert.equal(named(verdict), "retry-later TOKEN_UNAVAILABLE", verdict.statusMessage);
        assert.deepEqual(
          server.requests.map(({ target }) => target),
          ["/oauth/token"],
        );
      });
    }

    for (const expires of ["1e999", "-1", "null", '"soon"', "{}", "1e-300", "99999999999999999999"]) {
      it(`that gives a token for ${expires} seconds: it is used, and replaced once it is refused`, async () => {
        let given = 0;
        const server = await serve({
          onRequest: (request, socket) => {
            const isToken = request.target.endsWith("/oauth/token");
            const isOld = request.headers.authorization === "Bearer t0ken-1";
            const say = isToken
              ? saying(200, `{"access_token":"t0ken-${++given}","expires_in":${expires}}`)
              : isOld
                ? saying(401, "")
                : saying(200, '{"statusCode":2000}');
            say(request, socket);
          },
        });
        const verdict = await ask(clientOf(server.url), whatsapp());
        assert.deepEqual([verdict.outcome, verdict.attempts, given], ["sent", 2, 2]);
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
      const server = await serve({ onRequest: saying(200, words(CONTROLS)) });
      const verdict = await ask(clientOf(server.url), sms());
      assert.equal(verdict.outcome, "rejected");
      assert.equal(texts(verdict).length, 3);
      for (const text of texts(verdict)) {
        assert.match(text, /forged line/);
        assert.doesNotMatch(text, /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
      }
    });

    it("are short, and a secret is not cut in two where they end", async () => {
      const server = await serve({ onRequest: saying(200, words(`${PASSWORD} `.repeat(4_000))) });
      const verdict = await ask(clientOf(server.url), sms());
      assert.equal(texts(verdict).length, 3);
      for (const text of texts(verdict)) {
        assert.ok(text.length < 5_000, `${text.length} characters`);
        assert.doesNotMatch(text, /p&|wörd/);
      }
    });

    it("of the token service as well", async () => {
      const said = { error: CONTROLS, error_description: "x".repeat(200_000) };
      const server = await serve({ onRequest: saying(400, JSON.stringify(said)) });
      const { statusName, statusMessage } = await ask(clientOf(server.url), whatsapp());
      assert.equal(statusName, "TOKEN_REFUSED");
      assert.ok(statusMessage.length < 5_000);
      assert.match(statusMessage, /forged line/);
      assert.doesNotMatch(statusMessage, /\p{Cc}/u);
    });
  });
});
