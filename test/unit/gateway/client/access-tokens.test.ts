import assert from "node:assert/strict";
import {
  AccessTokens,
  type TokenFault,
  type TokenResult,
} from "../../../../lib/gateway/client/access-tokens";
import type { Exchange } from "../../../../lib/gateway/http/exchange";
import type { Scope } from "../../../../lib/gateway/contract/operations";
import { Redactor } from "../../../../lib/gateway/codec/redactor";
import type { LocalFault } from "../../../../lib/gateway/contract/local-outcomes";
import { VirtualTiming } from "../../../support/virtual-timing";

const WHATSAPP: Scope = "messaging:whatsapp";

const answered = (status: number, body: string | object): Exchange => ({
  response: {
    status,
    headers: {},
    body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
  },
});

describe("gateway access tokens", () => {
  let timing: VirtualTiming;
  let redactor: Redactor;
  let asked: Scope[];
  let answers: ((scope: Scope) => Exchange | Promise<Exchange>)[];
  let tokens: AccessTokens;

  beforeEach(() => {
    timing = new VirtualTiming();
    redactor = new Redactor();
    asked = [];
    answers = [];
    tokens = new AccessTokens(
      async (scope) => {
        asked.push(scope);
        const next = answers.shift();
        return next?.(scope) ?? answered(200, { access_token: `token-${asked.length}`, expires_in: 300 });
      },
      redactor,
      timing,
    );
  });

  const get = async (scope: Scope = WHATSAPP): Promise<TokenResult> => tokens.get(scope);
  const tokenOf = async (scope: Scope = WHATSAPP): Promise<string | undefined> => (await get(scope)).token;

  it("requests one token for a hundred concurrent callers", async () => {
    const results = await Promise.all(Array.from({ length: 100 }, () => tokenOf()));
    assert.deepEqual([...new Set(results)], ["token-1"]);
    assert.deepEqual(asked, [WHATSAPP]);
    assert.ok(!(tokens.get(WHATSAPP) instanceof Promise), "a token at hand costs no promise");
  });

  it("stores a token for each scope", async () => {
    const scopes: Scope[] = ["messaging:whatsapp", "messaging:rcs", "media:create", "media:read"];
    const first = await Promise.all(scopes.map((scope) => tokenOf(scope)));
    assert.equal(new Set(first).size, 4);
    assert.deepEqual(await Promise.all(scopes.map((scope) => tokenOf(scope))), first);
    assert.deepEqual(asked, scopes);
  });

  for (const [expiresIn, renewedAfter] of [
    [300, 270_000],
    ["300", 270_000],
    [100, 80_000],
    [10, 8_000],
    [-5, 270_000],
    [undefined, 270_000],
  ] as const) {
    it(`renews one that lasts ${String(expiresIn)} s after ${renewedAfter} ms, and not before`, async () => {
      answers.push(() => answered(200, { access_token: "short", expires_in: expiresIn }));
      assert.equal(await tokenOf(), "short");
      await timing.advance(renewedAfter - 1);
      assert.equal(await tokenOf(), "short");
      await timing.advance(1);
      assert.equal(await tokenOf(), "token-2");
      assert.equal(asked.length, 2);
    });
  }

  it("drops a refused token and keeps a newer one", async () => {
    await get();
    tokens.discard(WHATSAPP, "token-1");
    assert.equal(await tokenOf(), "token-2");
    tokens.discard(WHATSAPP, "token-1");
    assert.equal(await tokenOf(), "token-2");
    tokens.discard("messaging:rcs", "token-2");
    assert.equal(await tokenOf(), "token-2");
  });

  const refused = { error: "invalid_scope" };
  const PROXY: Exchange = { fault: "PROXY_DENIED", detail: "HTTP 407" };
  const SLOW: Exchange = { fault: "NO_ANSWER", detail: "slow" };
  const unusable: Readonly<Partial<Record<LocalFault, Readonly<Record<string, Exchange>>>>> = {
    TOKEN_REFUSED: {
      "HTTP 400": answered(400, refused),
      "HTTP 401": answered(401, { error: "invalid_client" }),
      "a redirect": answered(302, ""),
    },
    TOKEN_UNAVAILABLE: {
      "HTTP 429": answered(429, ""),
      "HTTP 500": answered(500, { access_token: "x" }),
      "HTTP 503": answered(503, "<html>"),
      "a web page": answered(200, "<html>access_token</html>"),
      "no token": answered(200, { token_type: "bearer", expires_in: 300 }),
      "an empty token": answered(200, { access_token: "" }),
      "a token too long for a header": answered(200, { access_token: "x".repeat(16_385) }),
      "a token with a line break": answered(200, { access_token: "a\r\nx: y" }),
      "a token in another script": answered(200, { access_token: "токен" }),
      "no connection": { fault: "CONNECT_FAILED", detail: "ECONNREFUSED" },
      "no answer": SLOW,
      "a lost connection": { fault: "CONNECTION_LOST", detail: "x" },
    },
    PROXY_DENIED: { "a proxy that refuses us": PROXY },
    CLOSING: { closing: { fault: "CLOSING", detail: "stopped" } },
  };
  for (const [fault, results] of Object.entries(unusable)) {
    for (const [what, result] of Object.entries(results)) {
      it(`takes ${what} for ${fault}`, async () => {
        answers.push(() => result);
        assert.equal((await get()).fault, fault);
      });
    }
  }

  it("masks a secret in the error code and leaves it out of the text", async () => {
    redactor.add("hush-hush");
    answers.push(() => answered(401, { error: "no hush-hush" }));
    const { error, detail } = (await get()) as TokenFault;
    assert.deepEqual([error, detail], ["no •••", "HTTP 401"]);
  });

  it("requests no token shortly after a refusal", async () => {
    answers.push(() => answered(401, { error: "invalid_client", error_description: "who?" }));
    const first = await get();
    assert.equal(first.fault === undefined ? "" : first.detail, "HTTP 401, invalid_client: who?");
    await timing.advance(4_999);
    assert.equal((await get()).fault, "TOKEN_REFUSED");
    assert.equal(await tokenOf("messaging:rcs"), "token-2");
    await timing.advance(1);
    assert.equal(await tokenOf(), "token-3");
  });
});
