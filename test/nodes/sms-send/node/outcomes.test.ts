import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { OUTCOMES, type Outcome } from "../../../../lib/shared/outcomes";
import type { FaultAnswer } from "../../../../simulator/index";
import { logLines } from "../../../node/log-lines";
import { accountAt, type FlowOptions, resultOf, startFlow, type TestFlow } from "../../../node/flow";
import { useSimulator } from "../../../node/use-simulator";

const TO = "41790000001";

describe("sms-send: outcomes and ports", () => {
  const simulator = useSimulator();

  const start = (options: FlowOptions = {}): Promise<TestFlow> => {
    const real = accountAt(simulator);
    return startFlow({ ...real, ...options, account: { ...real.account, ...options.account } });
  };

  it("emits each outcome at its port of four, and at no other", async () => {
    for (const [outcome, answer] of [
      ["sent", null],
      ["queued", { statusCode: 2001 }],
      ["rejected", { statusCode: 4003 }],
      ["denied", { statusCode: 4035 }],
      ["retry-later", { statusCode: 4013 }],
      ["unknown", { statusCode: 5000 }],
    ] as [Outcome, FaultAnswer | null][]) {
      const flow = await start();
      if (answer !== null) {
        simulator.main.addFault({ answer });
      }
      flow.send({ to: TO, payload: "x" });
      assert.equal(resultOf((await flow.all.until(1))[0]).outcome, outcome);
      assert.deepEqual(
        flow.ports.map(({ messages }) => messages.length),
        flow.ports.map((_log, at) => (at === OUTCOMES[outcome].portOf4 ? 1 : 0)),
      );
      await flow.stop();
    }
  });

  it("writes the whole result, with name, meaning and advice of the code", async () => {
    const { send, ports } = await start();
    simulator.main.addFault({
      answer: { statusCode: 4019, statusMessage: "Parameter missing: senderAddress" },
    });
    send({ to: TO, payload: "x" });
    const [msg] = await ports[1]!.until(1);
    const { advice, clientMessageId, ...result } = resultOf(msg);
    assert.match(clientMessageId ?? "", /^[0-9a-f-]{36}$/);
    assert.match(advice, /Fill in/);
    // The count of rounds is for nobody to see.
    assert.deepEqual(JSON.parse(JSON.stringify(result)), {
      operation: "sms-form",
      outcome: "rejected",
      statusCode: 4019,
      statusName: "PARAMETER_MISSING",
      statusMessage: "A required parameter is missing. (Parameter missing: senderAddress)",
      parameter: "senderAddress",
      transferId: null,
      smsCount: 0,
      httpStatus: 200,
      recipients: [TO],
      attempts: 1,
      source: "service",
      simulated: false,
    });
  });

  it("sends a message from 'try again', wired back unchanged, exactly once more", async () => {
    const { send, ports } = await start({ account: { attempts: 1 } });
    simulator.main.addFault({ answer: { statusCode: 4013 } });
    send({ to: TO, payload: "x" });
    const [msg] = await ports[2]!.until(1);
    send(msg as Record<string, unknown>);
    const [again] = await ports[0]!.until(1);
    assert.equal(resultOf(again).outcome, "sent");
    assert.equal(simulator.main.messages.length, 1);
    assert.equal("parts" in (again as object), false);
  });

  describe("a failure whose port leads nowhere", () => {
    const errorOf = (msg: NodeMessage | undefined) => (msg as { error: { message: string } }).error.message;

    it("reaches Catch with its message and its advice", async () => {
      const { send, caught, all, completed } = await start({ wired: [0, 2, 3] });
      simulator.main.addFault({ answer: { statusCode: 4003 } });
      send({ to: TO, payload: "x", order: 7 });
      const [msg] = await caught.until(1);
      assert.match(
        errorOf(msg),
        /^The sender address .* SMS rejected: INVALID_SENDER 4003\. Use a sender address/,
      );
      assert.equal(resultOf(msg).outcome, "rejected");
      assert.equal(msg?.order, 7);
      assert.equal(all.messages.length + completed.messages.length, 0);
    });

    it("does so where the port's only wire ends at a disabled node or a junction to nowhere", async () => {
      const { send, caught } = await start({
        wired: [0, 2, 3],
        sender: { wires: [["port0"], ["off", "bend"], ["port2"], ["port3"]] },
        more: [
          { id: "off", z: "tab", type: "helper", d: true },
          { id: "bend", z: "tab", type: "junction", wires: [["off"]] },
        ],
      });
      simulator.main.addFault({ answer: { statusCode: 4003 } });
      send({ to: TO, payload: "x" });
      await caught.until(1);
    });

    it("is raised once for each failed batch, and the message still completes", async () => {
      const { send, caught, completed } = await start({ wired: [0] });
      simulator.main.addFault({ skip: 1, times: 2, answer: { statusCode: 5000 } });
      send({
        to: Array.from({ length: 2500 }, (_none, at) => `4179${String(at).padStart(7, "0")}`),
        payload: "x",
      });
      await caught.until(2);
      await completed.until(1);
      assert.deepEqual(
        caught.messages.map((msg) => resultOf(msg).outcome),
        ["unknown", "unknown"],
      );
    });
  });

  it("warns of a part where fewer SMS were made than there are recipients", async () => {
    const { send, ports } = await start();
    simulator.main.addFault({ answer: { statusCode: 2000, smsCount: "partial" } });
    send({ to: [TO, "41790000002"], payload: "x" });
    assert.equal(resultOf((await ports[0]!.until(1))[0]).warning, "partial");
    send({ to: [TO, "41790000002"], payload: "x" });
    assert.equal("warning" in resultOf((await ports[0]!.until(2))[1]), false);
  });

  it("writes the result to the configured property, or warns that it cannot", async () => {
    const { send, ports } = await start({ sender: { resultProperty: "sms.outcome" } });
    send({ to: TO, payload: "x" });
    const [msg] = await ports[0]!.until(1);
    assert.equal((msg as { sms: { outcome: { outcome: string } } }).sms.outcome.outcome, "sent");
    send({ to: TO, payload: "x", sms: "a text" });
    const second = (await ports[0]!.until(2))[1];
    assert.equal(resultOf(second).outcome, "sent");
    assert.match(logLines("warn").join(), /msg\.sms\.outcome cannot be set to the result/);
  });
});
