import assert from "node:assert/strict";
import type { ConnectionFault } from "../../../../simulator/faults/fault-rule";
import { assertFields, rawExchange, rawSms, until } from "../../../support/simulator";
import { useSimulator } from "../../../support/simulator/use-simulator";

describe("simulator: connection faults", () => {
  const sim = useSimulator();
  const exchange = () => rawExchange(sim.port, rawSms());

  const cutBody = /\r\ncontent-length: 75\r\n\r\nstatusCode=2000&statusMessage=OK&tran$/;
  const faults: Record<Exclude<ConnectionFault, "stall">, [RegExp, string | null, number, number | null]> = {
    "reset-before-accept": [/^$/, "ECONNRESET", 0, null],
    "drop-after-accept": [/^$/, null, 1, null],
    "cut-header": [/^HTTP\/1\.1 200 OK\r\n(?!.*\r\n\r\n)/s, null, 1, null],
    "cut-body": [cutBody, null, 1, 200],
    garbage: [/^(?!HTTP).{3} this is no HTTP/s, null, 1, null],
  };
  for (const [kind, [bytes, error, accepted, httpStatus]] of Object.entries(faults)) {
    it(kind, async () => {
      const id = sim.main.addFault({ answer: { connection: kind as ConnectionFault } });
      assertFields(await exchange(), { bytes, error });
      assert.equal(sim.main.messages.length, accepted);
      assertFields(sim.main.requests[0], { fault: { id, kind }, httpStatus, statusCode: null });
    });
  }

  it("stalls with and without accepting, until it is paused", async () => {
    sim.main.addFault({ answer: { connection: "stall" } });
    sim.main.addFault({ answer: { connection: "stall", accept: false } });
    const pending = [exchange(), exchange()];
    await until(() => sim.main.requests.length === 2);
    assert.equal(sim.main.messages.length, 1);
    await sim.pause();
    for (const { bytes } of await Promise.all(pending)) assert.equal(bytes, "");
    await sim.resume();
  });
});
