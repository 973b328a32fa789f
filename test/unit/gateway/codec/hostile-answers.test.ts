import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { GatewaySettings } from "../../../../lib/gateway/contract/settings";
import type { Verdict } from "../../../../lib/gateway/codec/verdict";
import type { Batch } from "../../../../lib/gateway/queue/dispatcher";
import { CLIENT_SECRET, PASSWORD, sms, UUID, whatsapp } from "../../../support/gateway/gateway-settings";
import { brief, type Reply, TOKEN, useGateway, withTokens } from "../../../support/gateway/use-gateway";
import { ACCEPTED, answer, type SeenRequest } from "../../../support/http/fault-server";

const DOWNLOAD: Batch = { operation: "media-download", fields: { mediaId: UUID } };
const OK = answer(200, '{"statusCode":2000,"transferId":"t"}');
const HEAD = "HTTP/1.1 200 OK\r\n";

const saying =
  (status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Reply =>
  (socket) => {
    socket.write(answer(status, "", { "content-length": String(Buffer.byteLength(body)), ...headers }));
    socket.write(body);
  };

const whole = (requests: readonly SeenRequest[]): string =>
  requests.map(({ head, body }) => `${head}\r\n\r\n${body}`).join();

describe("a hostile gateway", () => {
  const { serve, clientOf, send, ask } = useGateway();

  const askAs = (batch: Batch, address: string, changed?: Partial<GatewaySettings>): Promise<Verdict> =>
    send(clientOf(address, changed), batch);

  describe("invalid responses", () => {
    const object = (body: string): Reply => saying(200, body, { "content-type": "application/json" });
    const accepted = (headers: Readonly<Record<string, string>>): Reply => saying(200, ACCEPTED, headers);
    const SENT_JSON = '"statusCode":2000,"statusMessage":"OK","transferId":"00670eb55d00349e1111"';
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));

    const endings: Readonly<Record<string, Readonly<Record<string, Reply>>>> = {
      "unknown ANSWER_UNREADABLE": {
        "a web page": saying(200, `<html><a href="?a=b&${ACCEPTED}">x</a></html>`),
        "a bomb of gzip": saying(200, bomb, { "content-encoding": "gzip" }),
        "lists in lists": object("[".repeat(120_000) + "]".repeat(120_000)),
        "headers without end": `${HEAD}${"a:b\r\n".repeat(100_000)}`,
        "a property named __proto__": object(`{"__proto__":{${SENT_JSON}}}`),
        "a property named constructor": object(`{"constructor":{"prototype":{${SENT_JSON}}}}`),
        "bytes that are no text": saying(200, Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80])),
        "a status of four digits": (socket) => socket.end(answer(2000, ACCEPTED)),
      },
      "unknown CONNECTION_LOST": {
        "two lengths": `${HEAD}content-length: 5\r\ncontent-length: ${ACCEPTED.length}\r\n\r\n${ACCEPTED}`,
        "a length and chunks": `${HEAD}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
        "a header with an empty byte": accepted({ x: "a\0b" }),
      },
      "sent OK": {
        "headers named like parts of objects": accepted({ ["__proto__"]: "1", constructor: "1" }),
      },
      "denied HTTP_403": { "a web page's refusal": saying(403, "<html>statusCode=2000</html>") },
      "unknown ANSWER_CONTRADICTORY": { "a status that does not exist": saying(999, ACCEPTED) },
    };

    for (const [ends, replies] of Object.entries(endings)) {
      for (const [what, reply] of Object.entries(replies)) {
        it(`${what}: ${ends}`, async () => {
          const server = await serve(reply);
          const verdict = await ask(server.url);
          assert.equal(brief(verdict), ends, verdict.statusMessage);
          assert.equal(server.requests.length, 1);
          assert.equal(({} as { statusCode?: number }).statusCode, undefined);
        });
      }
    }
  });

  it("rejects a download when the file is larger than allowed", async () => {
    const chunk = `10000\r\n${"x".repeat(0x1_0000)}\r\n`;
    const server = await serve(withTokens(`${HEAD}transfer-encoding: chunked\r\n\r\n${chunk.repeat(40)}`));
    const verdict = await send(clientOf(server.url), DOWNLOAD, { limit: 1024 * 1024 });
    assert.equal(brief(verdict), "rejected FILE_TOO_LARGE");
  });

  describe("destinations of credentials", () => {
    const inQuery = { legacy: { method: "token-query", accessToken: "acc3ss-token" } } as const;
    const requests: readonly [what: string, asked: Batch, changed?: Partial<GatewaySettings>][] = [
      ["a link with a token", { ...sms(), operation: "sms-get" }, inQuery],
      ["a message with an OAuth token", whatsapp()],
      ["a download", DOWNLOAD],
    ];
    it("follows no redirect of the service", async () => {
      for (const [what, asked, changed] of requests) {
        for (const status of [301, 302, 303, 307, 308]) {
          const other = await serve();
          const server = await serve(withTokens(answer(status, "", { location: `${other.url}/elsewhere` })));
          const verdict = await askAs(asked, server.url, changed);
          assert.equal(brief(verdict), `denied HTTP_${status}`, what);
          assert.match(verdict.advice, /address/);
          assert.equal(other.connections, 0);
        }
      }
    });

    it("follows no redirect of the token service and sends nothing without a token", async () => {
      const other = await serve();
      const location = `${other.url}/oauth/token`;
      const server = await serve(saying(307, '{"access_token":"tok"}', { location }));
      assert.equal(brief(await askAs(whatsapp(), server.url)), "denied TOKEN_REFUSED");
      assert.deepEqual([other.connections, server.requests.length], [0, 1]);
    });

    it("sends client secret and token only to their own service", async () => {
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
  });

  describe("texts of the service", () => {
    /** Escape sequences, line breaks and marks that turn a line around, as a terminal or a log would take them. */
    const CONTROLS = "a\r\n[error] forged line\u001b[2J\u009b31m\u0000\u202eb\u2028c";
    const texts = ({ statusMessage, transferId, clientMessageId, data }: Verdict): string[] =>
      [statusMessage, transferId, clientMessageId, ...Object.values(data ?? {})].filter(
        (text) => typeof text === "string",
      );
    const words = (said: string): string =>
      JSON.stringify({ statusCode: 4003, statusMessage: said, clientMessageId: said, attachmentId: said });

    it("shows no line break and no escape sequence", async () => {
      const server = await serve(saying(200, words(CONTROLS)));
      const verdict = await ask(server.url);
      assert.equal(verdict.outcome, "rejected");
      assert.equal(texts(verdict).length, 3);
      for (const text of texts(verdict)) {
        assert.match(text, /forged line/);
        assert.doesNotMatch(text, /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
      }
    });

    it("shortens texts without cutting a secret", async () => {
      const server = await serve(saying(200, words(`${PASSWORD} `.repeat(4_000))));
      const verdict = await ask(server.url);
      assert.equal(texts(verdict).length, 3);
      for (const text of texts(verdict)) {
        assert.ok(text.length < 5_000, `${text.length} characters`);
        assert.doesNotMatch(text, /p&|wörd/);
      }
    });
  });
});
