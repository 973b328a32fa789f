import assert from "node:assert/strict";
import { assertFields, useSimulator } from "../../../support/simulator";

describe("simulator: faulty recipients", () => {
  const sim = useSimulator();
  for (const httpStatus of [200, 204, 302, 400, 401, 404, 408, 429, 500, 503, 599]) {
    it(`99901${httpStatus} answers a bare HTTP ${httpStatus}`, async () => {
      const answer = await sim.sms(`99901${httpStatus}`);
      assertFields(answer, { httpStatus, body: /^(?!.*statusCode)/s });
      assert.equal(answer.headers.location, httpStatus === 302 ? "?redirected=true" : undefined);
      assert.equal(sim.main.messages.length, 0);
      assert.equal(sim.main.requests[0]?.httpStatus, httpStatus);
    });
  }

  for (const ordinary of ["999001234", "99901199", "99901600", "999020005", "9990040310", "4199900403"])
    it(`${ordinary} is an ordinary recipient`, async () =>
      assert.equal((await sim.sms(ordinary)).code, 2000));

  it("999020001 accepts and drops the connection", async () => {
    await assert.rejects(sim.sms("999020001"), { code: "ECONNRESET", message: "socket hang up" });
    assert.equal(sim.main.messages.length, 1);
    assert.equal(sim.main.requests[0]?.httpStatus, null);
  });

  it("999020003 accepts and answers with garbage", async () => {
    await assert.rejects(sim.sms("999020003"), { code: "HPE_INVALID_CONSTANT" });
    assert.equal(sim.main.messages.length, 1);
  });

  it("999020004 accepts and reports one SMS too few", async () => {
    const { value } = await sim.sms("999020004,41790000000,41790000001");
    assertFields(value, { statusCode: 2000, smsCount: 2 });
    assert.equal(sim.main.messages[0]?.smsCount, 3);
  });
});
