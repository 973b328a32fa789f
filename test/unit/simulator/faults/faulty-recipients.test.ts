import assert from "node:assert/strict";
import { FAULTY_RECIPIENTS } from "../../../../simulator/index";
import { assertFields, pluck, until, useSimulator, useSimulators } from "../../../support/simulator";
import { SMS_JSON } from "../../../support/simulator/service-client";

describe("simulator: faulty recipients", () => {
  const sim = useSimulator();
  const start = useSimulators();

  for (const httpStatus of [200, 204, 302, 400, 401, 404, 408, 429, 500, 503, 599]) {
    it(`99901${httpStatus} answers a bare HTTP ${httpStatus}`, async () => {
      const answer = await sim.sms(`99901${httpStatus}`);
      assertFields(answer, { httpStatus, body: /^(?!.*statusCode)/s });
      assert.equal(answer.headers.location, httpStatus === 302 ? "?redirected=true" : undefined);
      assert.equal(sim.main.messages.length, 0);
      assert.equal(sim.main.requests[0]?.httpStatus, httpStatus);
    });
  }

  it("works in the middle of a list, with a plus, and in JSON", async () => {
    const recipientAddressList = ["41790000000", "+999004031"];
    assert.equal((await sim.json(SMS_JSON, { recipientAddressList, messageContent: "x" })).code, 4031);
  });

  it("goes by the first faulty recipient of a list", async () =>
    assert.equal((await sim.sms("999004031,999005000")).code, 4031));

  for (const ordinary of ["999001234", "99901199", "99901600", "999020005", "9990040310", "4199900403"])
    it(`${ordinary} is an ordinary recipient`, async () =>
      assert.equal((await sim.sms(ordinary)).code, 2000));

  it("999020001 accepts and drops the connection", async () => {
    await assert.rejects(sim.sms("999020001"), { code: "ECONNRESET", message: "socket hang up" });
    assert.equal(sim.main.messages.length, 1);
    assert.equal(sim.main.requests[0]?.httpStatus, null);
  });

  it("999020002 accepts and never answers, until the simulator closes", async () => {
    const own = await start();
    const settled = assert.rejects(own.sms("999020002"));
    await until(() => own.main.messages.length === 1);
    await own.close();
    await settled;
    assert.equal(own.openConnections(), 0);
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

  it("is written down as data, each example fitting its pattern", async () => {
    for (const { pattern, example } of FAULTY_RECIPIENTS) {
      assert.match(example, new RegExp(`^${pattern.replace(/[A-Z]/g, "\\d")}$`));
    }
    const { value } = await sim.control("GET", "recipients");
    assert.deepEqual(
      pluck(value as typeof FAULTY_RECIPIENTS, "pattern"),
      pluck(FAULTY_RECIPIENTS, "pattern"),
    );
  });
});
