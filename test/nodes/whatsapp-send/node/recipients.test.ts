import assert from "node:assert/strict";
import { resultOf } from "../../../node/flow";
import { SimulatedService } from "../../../node/simulated-service";

const people = (count: number): string[] =>
  Array.from({ length: count }, (_none, at) => `99955${String(at).padStart(6, "0")}`);

describe("whatsapp-send: recipients", () => {
  const service = new SimulatedService({ type: "messaging-whatsapp-send" });

  it("sends text to each of a list by itself, in order, each message with its own part", async () => {
    const { send, ports, completed } = await service.start(
      { kind: "text", clientMessageId: "id", clientMessageIdSource: "msg" },
      { account: { connections: 1 } },
    );
    const to = people(5);
    send({ to: to.join(", "), payload: "x", id: "order-7", order: 7 });
    const messages = await ports[0]!.until(5);
    await completed.until(1);
    assert.deepEqual(
      service.requests.map(({ fields }) => [fields.recipient, fields.clientMessageId]),
      to.map((number, at) => [`+${number}`, `order-7-${at + 1}`]),
    );
    assert.deepEqual(
      messages.map((msg) => [msg.to, msg.id, msg.order, (msg.parts as { index: number }).index]),
      to.map((number, at) => [[number], `order-7-${at + 1}`, 7, at]),
    );
    const [first, ...others] = messages.map((msg) => msg.parts as Record<string, unknown>);
    assert.deepEqual({ ...first, id: "" }, { id: "", index: 0, count: 5, type: "array", property: "result" });
    assert.ok(others.every(({ id }) => id === first?.id));
    assert.deepEqual(
      messages.map((msg) => resultOf(msg).recipients),
      to.map((number) => [number]),
    );
    assert.equal(completed.messages.length, 1);
  });

  it("tells apart, within one message, who was reached, who was not, and what is no number", async () => {
    const { send, all, ports, completed } = await service.start({ kind: "text" });
    send({ to: "99955500001, 41791234567, hello", payload: "x" });
    await all.until(3);
    assert.deepEqual(
      ports[0]!.messages.map((msg) => msg.to),
      [["99955500001"]],
    );
    const rejected = ports[1]!.messages.map((msg) => [msg.to, resultOf(msg).statusName]);
    assert.deepEqual(rejected.sort(), [
      [["41791234567"], "SESSION_EXPIRED"],
      [["hello"], "RECIPIENTS_INVALID"],
    ]);
    await completed.until(1);
    assert.equal(service.requests.length, 2);
  });

  it("checks what is sent once for all: a wrong text stops the first and every other", async () => {
    const { send, all } = await service.start({ kind: "text" });
    send({ to: people(50), payload: "x".repeat(4097) });
    const [msg] = await all.until(1);
    assert.equal(resultOf(msg).parameter, "content");
    assert.equal(service.requests.length, 0);
    assert.equal(all.messages.length, 1);
  });

  it("sends a broadcast to 1,000 in one request, to 1,001 in two", async () => {
    const { send, ports } = await service.start({ kind: "broadcast" }, { account: { connections: 1 } });
    const to = people(1001);
    send({ to: to.slice(0, 1000), payload: "x" });
    const [one] = await ports[0]!.until(1);
    assert.equal(one?.parts, undefined);
    send({ to, payload: "x" });
    const messages = (await ports[0]!.until(3)).slice(1);
    assert.deepEqual(
      service.requests.map(({ fields }) => fields.recipientAddressList),
      [to.slice(0, 1000), to.slice(0, 1000), to.slice(1000)],
    );
    assert.deepEqual(
      messages.map((msg) => (msg.parts as { index: number; count: number }).index),
      [0, 1],
    );
    assert.deepEqual(messages[1]?.to, to.slice(1000));
    assert.ok(resultOf(messages[1]).clientMessageId?.endsWith("-2"));
  });
});
