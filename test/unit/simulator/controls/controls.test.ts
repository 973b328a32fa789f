import assert from "node:assert/strict";
import { startSimulator } from "../../../../simulator/index";
import {
  askToken,
  CLIENT_BASIC,
  FORM,
  LEGACY_BASIC,
  rawRequest,
  sendControl,
  sendForm,
} from "../raw-request";
import { useSimulator } from "../use-simulator";

const GOOD = "recipientAddressList=41790000000&messageContent=Hello";

describe("simulator: controls", () => {
  const simulator = useSimulator({ controlToken: "control-token-for-tests" });

  const control = (method: string, path: string, value?: unknown, headers?: Record<string, string>) =>
    sendControl(simulator, method, path, value, headers);

  it("shows messages and requests with their totals", async () => {
    await sendForm(simulator.url, GOOD);
    await sendForm(simulator.url, `${GOOD}&test=true`);
    const messages = (await control("GET", "messages?limit=1")).value;
    assert.equal(messages.total, 2);
    assert.deepEqual(messages.messages, [simulator.main.messages[1]]);
    const requests = (await control("GET", "requests")).value;
    assert.equal(requests.total, 2);
    assert.deepEqual(requests.requests, simulator.main.requests);
    assert.deepEqual((await control("GET", "messages?limit=0")).value, { total: 2, messages: [] });
  });

  it("shows the newest hundred unless told otherwise", async () => {
    for (let count = 0; count < 101; count += 1) await sendForm(simulator.url, "");
    const { requests } = (await control("GET", "requests")).value;
    assert.deepEqual([requests.length, requests[0].id, requests[99].id], [100, 2, 101]);
    assert.equal((await control("GET", "requests?limit=101")).value.requests.length, 101);
  });

  it("is not in the log itself", async () => {
    await control("GET", "requests");
    assert.equal(simulator.main.requestCount, 0);
  });

  it("adds, shows and clears faults", async () => {
    const rule = { skip: 1, times: 3, answer: { statusCode: 4023 } };
    const added = await control("POST", "faults", rule);
    assert.equal(added.httpStatus, 201);
    const { id } = JSON.parse(added.body);
    assert.deepEqual((await control("GET", "faults")).value, [{ id, rule, skip: 1, left: 3 }]);
    await control("DELETE", "faults");
    assert.equal((await control("GET", "faults")).body, "[]");
  });

  it("says what is wrong with a fault", async () => {
    const wrong = await control("POST", "faults", { answer: { connection: "slow" } });
    assert.deepEqual([wrong.httpStatus, wrong.body], [400, '{"error":"answer: connection is not valid"}']);
    assert.equal((await control("POST", "faults", "{")).httpStatus, 400);
    const form = await control(
      "POST",
      "faults",
      { answer: { statusCode: 1 } },
      { "content-type": "text/plain" },
    );
    assert.equal(form.httpStatus, 415);
  });

  it("resets", async () => {
    await sendForm(simulator.url, GOOD);
    simulator.main.addFault({ answer: { statusCode: 4023 } });
    assert.equal((await control("POST", "reset")).httpStatus, 200);
    assert.deepEqual([simulator.main.messageCount, simulator.main.requests.length], [0, 0]);
    assert.match((await sendForm(simulator.url, GOOD)).body, /^statusCode=2000&/);
    assert.equal(simulator.main.requests[0]?.id, 1);
  });

  it("answers 404 and 405 where there is nothing", async () => {
    assert.equal((await control("GET", "delivers")).httpStatus, 404);
    assert.equal((await control("GET", "toString")).httpStatus, 404);
    const wrong = await control("PUT", "faults");
    assert.deepEqual([wrong.httpStatus, wrong.headers.allow], [405, "GET, POST, DELETE"]);
  });

  it("wants the control token, but for health", async () => {
    for (const token of ["", "control-token-for-testS", "control-token-for-tests "]) {
      for (const path of ["messages", "requests", "faults", "magic", "unknown"]) {
        const answer = await control("GET", path, undefined, { "x-simulator-token": `${token}x` });
        assert.equal(answer.httpStatus, 401);
      }
    }
    const health = await control("GET", "health", undefined, { "x-simulator-token": "" });
    assert.deepEqual([health.httpStatus, health.body], [200, '{"status":"ok"}']);
  });

  it("wants a loopback host", async () => {
    for (const host of ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "10.0.0.1"]) {
      for (const path of ["messages", "health"]) {
        assert.equal((await control("GET", path, undefined, { host })).httpStatus, 403, host);
      }
    }
    for (const host of ["localhost", "LOCALHOST:80", "127.0.0.2:8025", "[::1]:8025"]) {
      assert.equal((await control("GET", "messages", undefined, { host })).httpStatus, 200, host);
    }
  });

  it("refuses a control token that could not travel", async () => {
    await assert.rejects(startSimulator({ controlToken: "short" }), /control token/);
    await assert.rejects(startSimulator({ controlToken: "with a blank in it" }), /control token/);
  });

  it("makes a random control token", async () => {
    const [one, other] = await Promise.all([startSimulator(), startSimulator()]);
    assert.match(one.controlToken, /^[0-9a-f]{32}$/);
    assert.notEqual(one.controlToken, other.controlToken);
    await Promise.all([one.close(), other.close()]);
  });

  it("shows no secret, wherever it was put", async () => {
    const { password, accessToken, clientSecret } = simulator.credentials;
    const { access_token: bearer } = JSON.parse(
      (await askToken(simulator.url, "grant_type=client_credentials&scope=media:read")).body,
    );
    const secrets = [password, accessToken, clientSecret, bearer, "control-token-for-tests", "mistyped"];
    const path = `${simulator.url}/rest/smsmessaging/simple`;
    await rawRequest(`${path}?access_token=mistyped&${GOOD}`, { headers: { cookie: "a=mistyped" } });
    await rawRequest(`${path}?access_token=${accessToken}&${GOOD}`, {
      headers: { "content-type": FORM, "x-simulator-token": "mistyped" },
      body: `access_token=mistyped&client_secret=mistyped&clientMessageId=${bearer}`,
    });
    await sendForm(simulator.url, `${GOOD}&senderAddress=${password}`, { "x-own": clientSecret });
    await sendForm(
      simulator.url,
      `recipientAddressList=41790000000,${password}&messageContent=${accessToken}`,
    );
    await sendForm(simulator.url, `recipientAddressList=41790000000&messageContent=${accessToken}`);
    await rawRequest(`${simulator.url}/${password}`, { headers: { authorization: "mistyped" } });
    await rawRequest(`${simulator.url}/rest`, { headers: { authorization: `Bearer ${bearer}` } });
    const shown = `${(await control("GET", "requests")).body}${(await control("GET", "messages")).body}`;
    for (const secret of secrets) assert.ok(!shown.includes(secret), secret);
    for (const request of simulator.main.requests) {
      for (const secret of secrets) assert.ok(!JSON.stringify(request).includes(secret), secret);
    }
    const [token, , inQuery] = simulator.main.requests;
    assert.equal(token?.headers.authorization, "Basic ***");
    assert.equal(inQuery?.path, `/rest/smsmessaging/simple?access_token=***&${GOOD}`);
  });

  it("keeps nothing of the credentials in base64 either", async () => {
    await sendForm(simulator.url, GOOD);
    await askToken(simulator.url, "");
    const shown = (await control("GET", "requests")).body;
    for (const header of [LEGACY_BASIC, CLIENT_BASIC]) assert.ok(!shown.includes(header.slice(6)));
  });
});
