import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { acknowledge, refuse } from "../../../../lib/webhook/responses";
import { Gates, type GateSettings, type Passed, type Refused } from "../../../../lib/webhook/gates/gates";
import { PASSED_HEADERS } from "../../../../lib/webhook/gates/redacted-request";
import { SecretSet } from "../../../../lib/webhook/gates/secret-set";
import { startLocalServer } from "../../../support/http/local-server";
import { GateServer, OPEN } from "./gate-server";
import { bare } from "./hostile-requests";
import { sendRaw } from "../raw-connection";
import { MESSAGE, STATUS } from "../sample-events";

const SECRET = "right-secret-0123456789";

/** Takes one request through a set of gates. */
async function through(
  settings: Partial<GateSettings>,
  headers: Record<string, string | string[]> = {},
  path = "/",
  trusted = false,
): Promise<{ result: Passed | Refused; challenge: string | undefined }> {
  const gates = new Gates({ ...OPEN, ...settings });
  let result: Passed | Refused | null = null;
  const { port, stop } = await startLocalServer((req, res) => {
    void gates.pass(req, trusted).then((ended) => {
      result = ended;
      if (ended.ok) {
        acknowledge(res);
      } else {
        refuse(res, ended.reason, gates.challenge);
      }
    });
  });
  const typed = { "content-type": "application/json", ...headers };
  const outgoing = httpRequest({ port, path, method: "POST", agent: false, headers: typed });
  // Bytes: with a text Node.js would write the headers in UTF-8.
  outgoing.end(Buffer.from(JSON.stringify(MESSAGE)));
  const [answer] = await once(outgoing, "response");
  answer.resume();
  await once(answer, "end");
  await stop();
  assert.ok(result);
  return { result, challenge: answer.headers["www-authenticate"] };
}

async function headersThrough(
  settings: Partial<GateSettings>,
  headers: Record<string, string | string[]>,
  path?: string,
): Promise<Record<string, string | string[]>> {
  const { result } = await through(settings, headers, path);
  assert.ok(result.ok);
  return result.req.headers;
}

describe("gates", () => {
  it("returns bytes, value, address and headers of an accepted request", async () => {
    const { result } = await through({}, { "x-request-id": "r-1" });
    assert.ok(result.ok);
    const { raw, value, req } = result;
    assert.deepEqual([String(raw), value, req.ip], [JSON.stringify(MESSAGE), MESSAGE, "127.0.0.1"]);
    assert.equal(req.headers["content-type"], "application/json");
    assert.equal(req.headers["x-request-id"], "r-1");
  });

  it("checks size, credentials, address, type and body in this order", async () => {
    const auth = { method: "query", secrets: [SECRET] } as const;
    const server = await GateServer.start({ "/": { auth, allowed: "203.0.113.0/24", proxyHops: 1 } });
    const fine = JSON.stringify(STATUS);
    const request = {
      line: "POST /",
      length: 99_999,
      from: "192.0.2.1",
      type: "text/plain",
      body: "no JSON",
    };
    const mended: readonly [ending: string, mends: Partial<typeof request>][] = [
      ["too-large", { length: 7 }],
      ["no-credentials", { line: `POST /?secret=${SECRET}` }],
      ["address-not-allowed", { from: "203.0.113.9" }],
      ["content-type", { type: "application/json" }],
      ["not-json", { length: fine.length, body: fine }],
      ["unrecognised", {}],
    ];
    for (const [, mends] of mended) {
      const { line, length, from, type, body } = request;
      const head = [`Content-Length: ${length}`, `X-Forwarded-For: ${from}`, `Content-Type: ${type}`];
      await sendRaw(server.port, { bytes: bare(line, head, body), answers: 1 });
      Object.assign(request, mends);
    }
    await server.stop();
    assert.deepEqual(
      server.endings,
      mended.map(([ending]) => ending),
    );
  });

  it("skips only credentials and address for a trusted caller", async () => {
    const auth = { method: "query", secrets: [] } as const;
    const shut = { auth, allowed: "203.0.113.1", proxyHops: 1 };
    assert.equal((await through(shut, {}, "/", true)).result.ok, true);
    assert.deepEqual((await through(shut)).result, { ok: false, reason: "no-secret-set" });
    const typed = await through(shut, { "content-type": "text/plain" }, "/", true);
    assert.deepEqual(typed.result, { ok: false, reason: "content-type" });
    const large = await through({ ...shut, sizeLimit: 3 }, {}, "/", true);
    assert.deepEqual(large.result, { ok: false, reason: "too-large" });
  });

  it("challenges callers without credentials when HTTP has a scheme", async () => {
    const users = [{ username: "hook", password: SECRET }];
    const basic = await through({ auth: { method: "basic", users } });
    assert.equal(basic.challenge, 'Basic realm="webhook", charset="UTF-8"');
    const query = await through({ auth: { method: "query", secrets: [SECRET] } });
    assert.equal(query.challenge, undefined);
  });
});

describe("headers for a flow", () => {
  it("have known names only", async () => {
    const others = [
      ...["authorization", "proxy-authorization", "x-forwarded-authorization", "cookie", "x-api-key"],
      ...["cf-access-jwt-assertion", "x-amzn-oidc-data", "x-ms-client-principal", "x-forwarded-path"],
      ...["x-messaging-self-test", "x-messaging-simulator", "referer", "x-anything"],
    ];
    const kept = await headersThrough({}, Object.fromEntries(others.map((name) => [name, "Basic eDp5"])));
    const allowed = new Set<string>(PASSED_HEADERS);
    const unexpected = Object.keys(kept).filter((name) => !allowed.has(name));
    assert.deepEqual(unexpected, []);
  });

  it("omit the header with the secret, with any name", async () => {
    for (const name of ["X-Ours", "User-Agent", "X-Request-Id"]) {
      const auth = { method: "header", name, secrets: [SECRET, "abc"] } as const;
      for (const secret of auth.secrets) {
        assert.equal(name.toLowerCase() in (await headersThrough({ auth }, { [name]: secret })), false);
      }
    }
  });

  it("omit the secret under an allowed name, in any encoding", async () => {
    const secret = "old/secret+with signs";
    const auth = { method: "query", secrets: ["another-one", secret] } as const;
    const url = `/?secret=${encodeURIComponent(secret)}`;
    const written = [
      secret,
      `a ${secret} b`,
      url,
      encodeURIComponent(url),
      encodeURIComponent(encodeURIComponent(url)),
      new URLSearchParams({ secret }).toString(),
      url.replace(/%../g, (byte) => byte.toLowerCase()),
      ...["", "u:", "us:", "usr:"].flatMap((before) => [
        `Basic ${Buffer.from(before + secret).toString("base64")}`,
        encodeURIComponent(Buffer.from(`${before}${secret} and more`).toString("base64url")),
      ]),
    ];
    for (const value of written) {
      const kept = await headersThrough({ auth }, { "x-request-id": value, via: "1.1 proxy" }, url);
      assert.deepEqual([kept["x-request-id"], kept.via], [undefined, "1.1 proxy"], value);
    }
  });

  it("omit the password of a Basic sign-in and a secret outside ASCII", async () => {
    const password = "z\u00fcrich-7";
    const auth = { method: "basic", users: [{ username: "hook", password }] } as const;
    const pair = Buffer.from(`hook:${password}`).toString("base64");
    const kept = await headersThrough(
      { auth },
      {
        ...{ authorization: `Basic ${pair}`, "user-agent": `copy ${pair}` },
        ...{ via: Buffer.from(password).toString("latin1"), "x-real-ip": password },
        ...{ "x-request-id": "z%C3%BCrich-7", "x-correlation-id": "zurich-7" },
      },
    );
    const passed = Object.keys(kept).filter((name) => /^(user-agent|via|x-.*)$/.test(name));
    assert.deepEqual(passed, ["x-correlation-id"]);
  });
});

describe("secrets", () => {
  it("match as a whole, in UTF-8 and Latin-1, any of several", () => {
    const set = new SecretSet(["one", "zwölf", "三"]);
    for (const given of ["one", "zwölf", "三"]) {
      assert.equal(set.has(Buffer.from(given)), true, given);
    }
    assert.equal(set.has(Buffer.from("zwölf", "latin1")), true);
    for (const given of ["", "on", "onee", "One", "one ", "zwolf", "\t"]) {
      assert.equal(set.has(Buffer.from(given)), false, given);
    }
    assert.equal(set.has(Buffer.from("三", "latin1")), false, "cut to the low byte of each character");
  });

  it("accept no caller when they are empty", () => {
    const set = new SecretSet(["", ""]);
    assert.equal(set.isEmpty, true);
    assert.equal(set.has(Buffer.alloc(0)), false);
  });
});
