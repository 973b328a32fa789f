import assert from "node:assert/strict";
import { assertFields, useSimulator } from "../../../support/simulator";
import { SMS_FORM } from "../../../support/simulator/service-client";

const TOKEN = "control-token-for-tests";
const GOOD = "recipientAddressList=41790000000&messageContent=Hello";

describe("simulator: controls", () => {
  const sim = useSimulator({ controlToken: TOKEN });
  const shown = async (path: string) => (await sim.control("GET", path)).value;

  it("shows messages and requests with their totals", async () => {
    await sim.sms();
    await sim.sms(undefined, { test: true });
    const { messages, requests } = sim.main;
    assert.deepEqual(await shown("messages?limit=1"), { total: 2, messages: messages.slice(1) });
    assert.deepEqual(await shown("requests"), { total: 2, requests });
    assert.deepEqual(await shown("messages?limit=0"), { total: 2, messages: [] });
  });

  it("adds, shows and clears faults", async () => {
    const rule = { skip: 1, times: 3, answer: { statusCode: 4023 } };
    const { httpStatus, value } = await sim.control("POST", "faults", rule);
    assert.equal(httpStatus, 201);
    assert.deepEqual(await shown("faults"), [{ id: value.id, rule, skip: 1, left: 3 }]);
    await sim.control("DELETE", "faults");
    assert.deepEqual(await shown("faults"), []);
  });

  it("resets", async () => {
    await sim.sms();
    sim.main.addFault({ answer: { statusCode: 4023 } });
    assert.equal((await sim.control("POST", "reset")).httpStatus, 200);
    assertFields(sim.main, { messageCount: 0, requests: [] });
    assert.equal((await sim.sms()).code, 2000);
    assert.equal(sim.main.requests[0]?.id, 1);
  });

  it("wants the control token, but for health", async () => {
    for (const token of ["x", `${TOKEN.slice(0, -1)}Sx`, `${TOKEN} x`]) {
      for (const path of ["messages", "requests", "faults", "recipients", "unknown"]) {
        const answer = await sim.control("GET", path, undefined, { "x-simulator-token": token });
        assert.equal(answer.httpStatus, 401);
      }
    }
    const health = await sim.control("GET", "health", undefined, { "x-simulator-token": "" });
    assertFields(health, { httpStatus: 200, body: '{"status":"ok"}' });
  });

  it("stores no part of a body when the request is refused", async () => {
    for (const headers of [{ authorization: "Basic wrong" }, { "content-type": "text/plain" }]) {
      await sim.form(`${GOOD}&clientMessageId=marker`, headers);
    }
    await sim.form(`${GOOD}&odd=marker`);
    assert.equal(sim.main.requestCount, 3);
    assert.doesNotMatch(JSON.stringify(sim.main.requests), /marker/);
  });

  it("shows no secret, wherever it was put", async () => {
    const { password, accessToken, clientSecret } = sim.credentials;
    const bearer = (await sim.bearer("media:read")).slice("Bearer ".length);
    const secrets = [password, accessToken, clientSecret, bearer, TOKEN, "mistyped"];
    const cookie = "a=mistyped";
    await sim.request(`${SMS_FORM}?access_token=mistyped&${GOOD}`, { headers: { cookie } });
    await sim.request(`${SMS_FORM}?access_token=${accessToken}&${GOOD}`, {
      headers: { "content-type": "application/x-www-form-urlencoded", "x-simulator-token": "mistyped" },
      body: `access_token=mistyped&client_secret=mistyped&clientMessageId=${bearer}`,
    });
    await sim.form(`${GOOD}&senderAddress=${password}`, { "x-own": clientSecret });
    await sim.sms(`41790000000,${password}`, { messageContent: accessToken });
    await sim.sms(undefined, { messageContent: accessToken });
    await sim.request(`/${password}`, { headers: { authorization: "mistyped" } });
    await sim.request("/rest", { headers: { authorization: `Bearer ${bearer}` } });
    const [token, , inQuery] = sim.main.requests;
    assert.equal(token?.headers.authorization, "Basic ***");
    assert.equal(inQuery?.path, `/rest/smsmessaging/simple?access_token=***&${GOOD}`);
    const logs = JSON.stringify([sim.main.requests, await shown("requests"), await shown("messages")]);
    for (const secret of secrets) assert.ok(!logs.includes(secret), secret);
  });
});
