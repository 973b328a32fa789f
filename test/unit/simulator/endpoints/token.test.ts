import assert from "node:assert/strict";
import { SAMPLE_MEDIA_ID } from "../../../../simulator/index";
import { TokenStore } from "../../../../simulator/sign-in/token-store";
import { assertFields, assertShape, useSimulator } from "../../../support/simulator";
import { CLIENT_BASIC, FORM, LEGACY_BASIC } from "../../../support/simulator/service-client";

const GRANT = "grant_type=client_credentials";
const GOOD = `${GRANT}&scope=messaging:rcs+media:read`;

describe("simulator: tokens", () => {
  let now = 1_000_000;
  const sim = useSimulator({ clock: { now: () => now }, tokenLifetime: 10 });

  const issue = (scope = "media:read") => sim.bearer(scope);
  /** HTTP status of a download with a token. */
  const use = async (authorization: string, client: Pick<typeof sim, "download"> = sim) =>
    (await client.download(SAMPLE_MEDIA_ID, authorization)).httpStatus;

  it("hands out a token that is not to be cached", async () => {
    const { httpStatus, headers, value } = await sim.askToken(GOOD);
    assert.deepEqual([httpStatus, headers["cache-control"]], [200, "no-store"]);
    const access_token = /^simulated-bearer-[0-9a-f]{40}$/;
    assertShape(value, { access_token, token_type: "bearer", expires_in: 10 });
  });

  const refused: readonly (readonly [error: string, name: string, body: string])[] = [
    ["invalid_scope", "an unknown scope", `${GRANT}&scope=messaging:sms`],
    ["invalid_scope", "one unknown scope of two", `${GOOD}+x`],
    ["invalid_scope", "an empty scope", `${GRANT}&scope=`],
    ["invalid_request", "no scope", GRANT],
    ["invalid_request", "no grant type", "scope=media:read"],
    ["unsupported_grant_type", "another grant type", "grant_type=password&scope=media:read"],
  ];
  for (const [error, name, body] of refused)
    it(`answers ${error} to ${name}`, async () =>
      assertFields(await sim.askToken(body), { httpStatus: 400, body: JSON.stringify({ error }) }));

  it("refuses a wrong client", async () => {
    const challenge = 'Basic realm="simulator"';
    for (const authorization of [LEGACY_BASIC, "Bearer x", `Basic ${btoa("simulated-client:x")}`]) {
      const answer = await sim.askToken(GOOD, authorization);
      assertFields(answer, { httpStatus: 401, body: '{"error":"invalid_client"}', challenge });
    }
  });

  it("refuses parameters in the query", async () => {
    const headers = { authorization: CLIENT_BASIC, "content-type": `${FORM};charset=UTF-8` };
    const answer = await sim.request("/oauth/token?scope=media:read", { headers, body: GRANT });
    assertFields(answer, { httpStatus: 400, reason: /query parameter "scope"/ });
  });

  it("opens an endpoint until it expires", async () => {
    const token = await issue();
    now += 9_999;
    assert.equal(await use(token), 200);
    now += 1;
    const { httpStatus, challenge, value } = await sim.download(SAMPLE_MEDIA_ID, token);
    assert.deepEqual([httpStatus, challenge], [401, 'Bearer error="invalid_token"']);
    assert.deepEqual(Object.keys(value), ["statusMessage"]);
  });

  it("is refused once it is revoked, and in other accounts", async () => {
    const token = await issue();
    sim.account("other");
    assert.equal(await use(token, sim.at("other")), 401);
    assert.equal(await use(token), 200);
    sim.main.revokeTokens();
    assert.equal(await use(token), 401);
    assert.equal(await use(await issue()), 200);
  });

  it("is no token for the query, and legacy credentials open nothing", async () => {
    const [, token] = (await issue()).split(" ");
    assert.equal(
      (await sim.get(`/messaging/media/${SAMPLE_MEDIA_ID}?access_token=${token}`)).httpStatus,
      401,
    );
    assert.equal(await use(`Bearer ${sim.credentials.accessToken}`), 401);
  });

  it("fails on request", async () => {
    const answers = [
      { httpStatus: 401, body: '{"error":"invalid_client"}' },
      { httpStatus: 500 },
      { statusCode: 5003, httpStatus: 503 },
      { connection: "garbage" },
      { statusCode: 2000, delayMs: 1 },
    ] as const;
    for (const answer of answers) sim.main.addFault({ operation: "token", answer });
    assert.equal((await sim.askToken(GOOD)).httpStatus, 401);
    assert.equal((await sim.askToken(GOOD)).httpStatus, 500);
    const unavailable = '{"statusCode":5003,"statusMessage":"Service unavailable"}';
    assert.equal((await sim.askToken(GOOD)).body, unavailable);
    await assert.rejects(sim.askToken(GOOD), { code: "HPE_INVALID_CONSTANT" });
    assert.equal(await use(await issue()), 200);
  });

  it("does not pile up", () => {
    const store = new TokenStore({ now: () => now }, 10);
    const [first, second] = [store.issue(["media:read"]), store.issue(["media:read"])];
    for (let count = 0; count < 9_999; count += 1) store.issue([]);
    assert.deepEqual([store.scopesOf(first), store.scopesOf(second)], [null, ["media:read"]]);
  });
});
