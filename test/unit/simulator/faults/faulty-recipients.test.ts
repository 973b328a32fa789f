import assert from "node:assert/strict";
import { FAULTY_RECIPIENTS, startSimulator } from "../../../../simulator/index";
import { rawRequest, sendForm, sendJson, until } from "../raw-request";
import { useSimulator } from "../use-simulator";

describe("simulator: faulty recipients", () => {
  const simulator = useSimulator();
  const send = (recipients: string) =>
    sendForm(simulator.url, `recipientAddressList=${recipients}&messageContent=x`);

  for (const httpStatus of [200, 204, 302, 400, 401, 404, 408, 429, 500, 503, 599]) {
    it(`99901${httpStatus} answers a bare HTTP ${httpStatus}`, async () => {
      const answer = await send(`99901${httpStatus}`);
      assert.equal(answer.httpStatus, httpStatus);
      assert.doesNotMatch(answer.body, /statusCode/);
      assert.equal(answer.headers.location, httpStatus === 302 ? "?redirected=true" : undefined);
      assert.equal(simulator.main.messages.length, 0);
      assert.equal(simulator.main.requests[0]?.httpStatus, httpStatus);
    });
  }

  it("works in the middle of a list, with a plus, and in JSON", async () => {
    const answer = await sendJson(simulator.url, {
      recipientAddressList: ["41790000000", "+999004031"],
      messageContent: "x",
    });
    assert.equal(JSON.parse(answer.body).statusCode, 4031);
  });

  it("goes by the first faulty recipient of a list", async () => {
    assert.match((await send("999004031,999005000")).body, /^statusCode=4031&/);
  });

  for (const ordinary of ["999001234", "99901199", "99901600", "999020005", "9990040310", "4199900403"]) {
    it(`${ordinary} is an ordinary recipient`, async () => {
      assert.match((await send(ordinary)).body, /^statusCode=2000&/);
    });
  }

  it("999020001 accepts and drops the connection", async () => {
    await assert.rejects(send("999020001"), { code: "ECONNRESET", message: "socket hang up" });
    assert.equal(simulator.main.messages.length, 1);
    assert.equal(simulator.main.requests[0]?.httpStatus, null);
  });

  it("999020002 accepts and never answers, until the simulator closes", async () => {
    const own = await startSimulator();
    const pending = sendForm(own.url, "recipientAddressList=999020002&messageContent=x");
    const settled = assert.rejects(pending);
    await until(() => own.main.messages.length === 1);
    await own.close();
    await settled;
    assert.equal(own.openConnections(), 0);
  });

  it("999020003 accepts and answers with garbage", async () => {
    await assert.rejects(send("999020003"), { code: "HPE_INVALID_CONSTANT" });
    assert.equal(simulator.main.messages.length, 1);
  });

  it("999020004 accepts and reports one SMS too few", async () => {
    const answer = await send("999020004,41790000000,41790000001");
    assert.match(answer.body, /^statusCode=2000&.*&smsCount=2$/);
    assert.equal(simulator.main.messages[0]?.smsCount, 3);
  });

  it("is written down as data, each example fitting its pattern", async () => {
    for (const { pattern, example } of FAULTY_RECIPIENTS) {
      assert.match(example, new RegExp(`^${pattern.replace(/[A-Z]/g, "\\d")}$`));
    }
    const shown = await rawRequest(`${simulator.url}/_sim/magic`, {
      method: "GET",
      headers: { "x-simulator-token": simulator.controlToken },
    });
    assert.deepEqual(
      JSON.parse(shown.body).map(({ pattern }: { pattern: string }) => pattern),
      FAULTY_RECIPIENTS.map(({ pattern }) => pattern),
    );
  });
});
