import assert from "node:assert/strict";
import { CREDENTIALS } from "../../../../simulator/sign-in/credentials";
import { askToken, rawRequest, sendForm } from "../raw-request";
import { useFreshSimulator } from "../use-simulator";

const TOKEN = "grant_type=client_credentials&scope=media:read";
const GOOD = "recipientAddressList=41790000000&messageContent=Hello";

describe("simulator: accounts", () => {
  const simulator = useFreshSimulator();

  it("keep messages, requests and faults apart", async () => {
    const one = simulator.account("one");
    const other = simulator.account("other.2");
    assert.equal(one.url, `${simulator.url}/account/one`);
    one.addFault({ answer: { statusCode: 4023 } });
    assert.match((await sendForm(other.url, GOOD)).body, /^statusCode=2000&/);
    assert.match((await sendForm(simulator.url, GOOD)).body, /^statusCode=2000&/);
    assert.match((await sendForm(one.url, GOOD)).body, /^statusCode=4023&/);
    assert.deepEqual([one.messages.length, one.requests.length], [0, 1]);
    assert.deepEqual([other.messages.length, other.requests.length], [1, 1]);
    assert.deepEqual([simulator.main.messages.length, simulator.main.requests.length], [1, 1]);
    assert.equal(one.requests[0]?.path, "/rest/smsmessaging/simple");
    other.reset();
    assert.deepEqual([other.messages.length, simulator.main.messages.length], [0, 1]);
  });

  it("have controls of their own", async () => {
    await sendForm(simulator.account("one").url, GOOD);
    const shown = await rawRequest(`${simulator.url}/account/one/_sim/messages`, {
      method: "GET",
      headers: { "x-simulator-token": simulator.controlToken },
    });
    assert.equal(JSON.parse(shown.body).total, 1);
  });

  it("are the same one under the same id", () => {
    assert.equal(simulator.account("one"), simulator.account("one"));
  });

  const control = (id: string, name: string, token = simulator.controlToken) =>
    rawRequest(`${simulator.url}/account/${id}/_sim/${name}`, {
      method: "GET",
      headers: { "x-simulator-token": token },
    });

  it("do not come into being by being called, whatever the credentials", async () => {
    for (let count = 0; count < 3; count += 1) {
      assert.equal((await sendForm(`${simulator.url}/account/fresh`, GOOD)).httpStatus, 404);
      assert.equal((await askToken(`${simulator.url}/account/fresh`, TOKEN)).httpStatus, 404);
      assert.equal((await control("fresh", "messages", "wrong-control-token")).httpStatus, 401);
      assert.equal((await control("fresh", "health")).httpStatus, 200);
    }
    // One that those calls had made would have a log.
    const made = simulator.account("fresh");
    assert.deepEqual([made.requestCount, made.messageCount], [0, 0]);
    assert.match((await sendForm(made.url, GOOD)).body, /^statusCode=2000&/);
  });

  it("are made by a control with its token, up to a number", async () => {
    assert.equal((await control("fresh", "messages")).httpStatus, 200);
    assert.match((await sendForm(`${simulator.url}/account/fresh`, GOOD)).body, /^statusCode=2000&/);
    for (let count = 0; count < 199; count += 1) simulator.account(`a${count}`);
    assert.equal((await control("late", "messages")).httpStatus, 404);
    assert.equal((await control("a7", "messages")).httpStatus, 200);
    assert.equal((await control("..%2fx", "messages")).httpStatus, 404);
    assert.equal((await sendForm(simulator.account("asked-for").url, GOOD)).httpStatus, 200);
  });

  it("have ids that can stand in a path", async () => {
    for (const id of ["", ".", "..", "a/b", "ü", "a".repeat(65)]) {
      assert.throws(() => simulator.account(id), TypeError);
    }
    assert.equal((await sendForm(`${simulator.url}/account/..%2fx`, GOOD)).httpStatus, 404);
    assert.equal((await rawRequest(`${simulator.url}/account/x`)).httpStatus, 404);
    const secret = await rawRequest(`${simulator.url}/account/!${CREDENTIALS.password}`);
    assert.ok(!secret.body.includes(CREDENTIALS.password));
  });
});
