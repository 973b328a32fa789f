import assert from "node:assert/strict";
import { SAMPLE_MEDIA_ID } from "../../../../simulator/index";
import { assertFields, assertShape, useSimulator } from "../../../support/simulator";
import { LEGACY_BASIC } from "../../../support/simulator/service-client";

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

  it("opens an endpoint until it expires", async () => {
    const token = await issue();
    now += 9_999;
    assert.equal(await use(token), 200);
    now += 1;
    const { httpStatus, challenge, value } = await sim.download(SAMPLE_MEDIA_ID, token);
    assert.deepEqual([httpStatus, challenge], [401, 'Bearer error="invalid_token"']);
    assert.deepEqual(Object.keys(value), ["statusMessage"]);
  });

  it("refuses a revoked token, and a token of another account", async () => {
    const token = await issue();
    sim.account("other");
    assert.equal(await use(token, sim.at("other")), 401);
    assert.equal(await use(token), 200);
    sim.main.revokeTokens();
    assert.equal(await use(token), 401);
    assert.equal(await use(await issue()), 200);
  });
});
