import assert from "node:assert/strict";
import { CREDENTIALS } from "../../../../simulator/sign-in/credentials";
import { assertFields, ServiceClient, useFreshSimulator } from "../../../support/simulator";

describe("simulator: accounts", () => {
  const sim = useFreshSimulator();
  const statusOf = async (id: string, control: string) =>
    (await sim.at(id).control("GET", control)).httpStatus;

  it("keep messages, requests and faults apart", async () => {
    const [one, other] = [sim.account("one"), sim.account("other.2")];
    assert.equal(one.url, `${sim.url}/account/one`);
    one.addFault({ answer: { statusCode: 4023 } });
    assert.equal((await sim.at("other.2").sms()).code, 2000);
    assert.equal((await sim.sms()).code, 2000);
    assert.equal((await sim.at("one").sms()).code, 4023);
    assertFields(one, { messageCount: 0, requestCount: 1 });
    assertFields(other, { messageCount: 1, requestCount: 1 });
    assertFields(sim.main, { messageCount: 1, requestCount: 1 });
    assert.equal(one.requests[0]?.path, "/rest/smsmessaging/simple");
    other.reset();
    assert.deepEqual([other.messages.length, sim.main.messages.length], [0, 1]);
  });

  it("appear by no call, with any credentials", async () => {
    const fresh = sim.at("fresh");
    const stranger = new ServiceClient(fresh.url, "wrong-control-token");
    for (let count = 0; count < 3; count += 1) {
      assert.equal((await fresh.sms()).httpStatus, 404);
      assert.equal((await fresh.askToken("grant_type=client_credentials&scope=media:read")).httpStatus, 404);
      assert.equal((await stranger.control("GET", "messages")).httpStatus, 401);
      assert.equal(await statusOf("fresh", "health"), 200);
    }
    // One that those calls had made would have a log.
    assertFields(sim.account("fresh"), { requestCount: 0, messageCount: 0 });
    assert.equal((await fresh.sms()).code, 2000);
  });

  it("have ids that can stand in a path", async () => {
    for (const id of ["", ".", "..", "a/b", "ü", "a".repeat(65)]) {
      assert.throws(() => sim.account(id), TypeError);
    }
    assert.equal((await sim.at("..%2fx").sms()).httpStatus, 404);
    assert.equal((await sim.request("/account/x")).httpStatus, 404);
    const { body } = await sim.request(`/account/!${CREDENTIALS.password}`);
    assert.ok(!body.includes(CREDENTIALS.password));
  });
});
