import assert from "node:assert/strict";
import { writeError } from "../../../../simulator/endpoints/answer-writers";
import { LEGACY_CODES } from "../../../../simulator/endpoints/codes";
import type { Endpoint } from "../../../../simulator/endpoints/endpoint";
import { jsonReply } from "../../../../simulator/endpoints/reply";
import { TokenStore } from "../../../../simulator/sign-in/token-store";
import { askToken, CLIENT_BASIC, LEGACY_BASIC, rawRequest } from "../raw-request";
import { useSimulator } from "../use-simulator";

const GOOD = "grant_type=client_credentials&scope=messaging:rcs+media:read";

const readEndpoint: Endpoint = {
  id: "read-something",
  method: "GET",
  path: "/something",
  auth: "bearer",
  scope: "media:read",
  encoding: "query",
  charset: "utf-8",
  codes: LEGACY_CODES,
  fields: [],
  write: writeError,
  action: { kind: "answer", reply: () => jsonReply(200, { fine: true }) },
};

describe("simulator: tokens", () => {
  let now = 1_000_000;
  const simulator = useSimulator({ clock: { now: () => now }, tokenLifetime: 10, endpoints: [readEndpoint] });

  const issue = async (url = simulator.url, body = GOOD) =>
    String(JSON.parse((await askToken(url, body)).body).access_token);
  const use = (token: string, url = simulator.url) =>
    rawRequest(`${url}/something`, { method: "GET", headers: { authorization: `Bearer ${token}` } });

  it("hands out a token that is not to be cached", async () => {
    const answer = await askToken(simulator.url, GOOD);
    assert.equal(answer.httpStatus, 200);
    assert.equal(answer.headers["cache-control"], "no-store");
    const { access_token, ...rest } = JSON.parse(answer.body);
    assert.match(access_token, /^simulated-bearer-[0-9a-f]{40}$/);
    assert.deepEqual(rest, { token_type: "bearer", expires_in: 10 });
  });

  const refused: Record<string, [number, string, string]> = {
    "an unknown scope": [400, "invalid_scope", "grant_type=client_credentials&scope=messaging:sms"],
    "one unknown scope of two": [400, "invalid_scope", `${GOOD}+x`],
    "an empty scope": [400, "invalid_scope", "grant_type=client_credentials&scope="],
    "no scope": [400, "invalid_request", "grant_type=client_credentials"],
    "no grant type": [400, "invalid_request", "scope=media:read"],
    "another grant type": [400, "unsupported_grant_type", "grant_type=password&scope=media:read"],
  };
  for (const [name, [httpStatus, error, body]] of Object.entries(refused)) {
    it(`answers ${error} to ${name}`, async () => {
      const answer = await askToken(simulator.url, body);
      assert.equal(answer.httpStatus, httpStatus);
      assert.equal(answer.body, JSON.stringify({ error }));
    });
  }

  it("refuses a wrong client", async () => {
    for (const authorization of [LEGACY_BASIC, "Bearer x", `Basic ${btoa("simulated-client:x")}`]) {
      const answer = await askToken(simulator.url, GOOD, authorization);
      assert.equal(answer.httpStatus, 401);
      assert.equal(answer.body, '{"error":"invalid_client"}');
      assert.equal(answer.headers["www-authenticate"], 'Basic realm="simulator"');
    }
  });

  it("refuses parameters in the query", async () => {
    const answer = await rawRequest(`${simulator.url}/oauth/token?scope=media:read`, {
      headers: {
        authorization: CLIENT_BASIC,
        "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
      },
      body: "grant_type=client_credentials",
    });
    assert.equal(answer.httpStatus, 400);
    assert.match(String(answer.headers["x-simulator-reason"]), /query parameter "scope"/);
  });

  it("opens an endpoint until it expires", async () => {
    const token = await issue();
    now += 9_999;
    assert.equal((await use(token)).httpStatus, 200);
    now += 1;
    const late = await use(token);
    assert.equal(late.httpStatus, 401);
    assert.deepEqual(Object.keys(JSON.parse(late.body)), ["statusMessage"]);
    assert.equal(late.headers["www-authenticate"], 'Bearer error="invalid_token"');
  });

  it("opens nothing that its scopes do not cover", async () => {
    const token = await issue(simulator.url, "grant_type=client_credentials&scope=messaging:rcs");
    const answer = await use(token);
    assert.equal(answer.httpStatus, 403);
    assert.deepEqual(JSON.parse(answer.body), { statusMessage: "scope media:read is missing" });
    assert.equal(answer.headers["www-authenticate"], 'Bearer error="insufficient_scope", scope="media:read"');
  });

  it("is refused once it is revoked, and in other accounts", async () => {
    const token = await issue();
    assert.equal((await use(token, simulator.account("other").url)).httpStatus, 401);
    assert.equal((await use(token)).httpStatus, 200);
    simulator.main.revokeTokens();
    assert.equal((await use(token)).httpStatus, 401);
    assert.equal((await use(await issue())).httpStatus, 200);
  });

  it("is no token for the query, and legacy credentials open nothing", async () => {
    const token = await issue();
    const inQuery = await rawRequest(`${simulator.url}/something?access_token=${token}`, { method: "GET" });
    assert.equal(inQuery.httpStatus, 401);
    assert.equal((await use(simulator.credentials.accessToken)).httpStatus, 401);
  });

  it("fails on request", async () => {
    const { main, url } = simulator;
    main.addFault({ operation: "token", answer: { httpStatus: 401, body: '{"error":"invalid_client"}' } });
    main.addFault({ operation: "token", answer: { httpStatus: 500 } });
    main.addFault({ operation: "token", answer: { statusCode: 5003, httpStatus: 503 } });
    main.addFault({ operation: "token", answer: { connection: "garbage" } });
    main.addFault({ operation: "token", answer: { statusCode: 2000, delayMs: 1 } });
    assert.equal((await askToken(url, GOOD)).httpStatus, 401);
    assert.equal((await askToken(url, GOOD)).httpStatus, 500);
    assert.match(
      (await askToken(url, GOOD)).body,
      /^{"statusCode":5003,"statusMessage":"Service unavailable"}$/,
    );
    await assert.rejects(askToken(url, GOOD), { code: "HPE_INVALID_CONSTANT" });
    assert.equal((await use(await issue())).httpStatus, 200);
  });

  it("does not pile up", () => {
    const store = new TokenStore({ now: () => now }, 10);
    const first = store.issue(["media:read"]);
    const second = store.issue(["media:read"]);
    for (let count = 0; count < 9_999; count += 1) store.issue([]);
    assert.equal(store.scopesOf(first), null);
    assert.deepEqual(store.scopesOf(second), ["media:read"]);
  });
});
