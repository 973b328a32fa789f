import assert from "node:assert/strict";
import { accountAt, type FlowOptions, resultOf, startFlow, type TestFlow } from "../../../node/flow";
import { useSimulator } from "../../../node/use-simulator";

const numbers = (count: number): string[] =>
  Array.from({ length: count }, (_none, at) => `4179${String(at).padStart(7, "0")}`);

const ascending = (a: number, b: number): number => a - b;

describe("sms-send: recipients", () => {
  const simulator = useSimulator();

  const start = (options: FlowOptions = {}): Promise<TestFlow> => {
    const real = accountAt(simulator);
    return startFlow({ ...real, ...options, account: { ...real.account, ...options.account } });
  };

  it("splits 2,500 recipients into exactly three requests, each recipient in exactly one", async () => {
    const { send, ports, completed } = await start();
    const to = numbers(2500);
    send({ to, payload: "x", order: 7 });
    const messages = await ports[0]!.until(3);
    await completed.until(1);
    assert.equal(simulator.main.requestCount, 3);
    assert.deepEqual(
      simulator.main.requests.map(({ fields }) => (fields.recipientAddressList as string[]).length),
      [1000, 1000, 500],
      "started in order",
    );
    assert.deepEqual(simulator.main.messages.flatMap(({ recipients }) => recipients).sort(), to);
    assert.deepEqual(messages.flatMap((msg) => msg.to as string[]).sort(), to);
    assert.equal(to.length, 2500, "the list that came is left alone");
    const parts = messages.map((msg) => msg.parts as { id: string; index: number; count: number });
    assert.equal(new Set(parts.map(({ id }) => id)).size, 1);
    assert.deepEqual(parts.map(({ index }) => index).sort(ascending), [0, 1, 2]);
    for (const [at, msg] of messages.entries()) {
      const part = parts[at]!;
      assert.deepEqual(
        { ...part, id: "" },
        { id: "", index: part.index, count: 3, type: "array", property: "result" },
      );
      assert.equal(msg.order, 7);
      assert.deepEqual(resultOf(msg).recipients, msg.to);
      assert.ok(resultOf(msg).clientMessageId?.endsWith(`-${part.index + 1}`));
    }
    assert.equal(completed.messages.length, 1);
  });

  it("leaves msg.parts of a single result alone and stacks it under several", async () => {
    const { send, ports } = await start();
    const parts = { id: "outer", index: 4, count: 9 };
    send({ to: "41790000001", payload: "x", parts });
    assert.deepEqual((await ports[0]!.until(1))[0]?.parts, parts);
    send({ to: numbers(1001), payload: "x", parts });
    for (const msg of (await ports[0]!.until(3)).slice(1)) {
      assert.deepEqual((msg.parts as { parts: unknown }).parts, parts);
    }
  });

  it("sends to the good numbers and rejects the bad ones in one result of their own", async () => {
    const { send, all, ports } = await start();
    send({ to: "+41 79 000 00 01, hello; 0041790000002\n123", payload: "x" });
    await all.until(2);
    const good = ports[0]!.messages[0]!;
    const bad = ports[1]!.messages[0]!;
    assert.deepEqual(simulator.main.messages[0]?.recipients, ["41790000001", "41790000002"]);
    assert.deepEqual(good.to, ["41790000001", "41790000002"]);
    assert.deepEqual(bad.to, ["hello", "123"]);
    assert.deepEqual(resultOf(bad).recipients, ["hello", "123"]);
    assert.equal(resultOf(bad).statusName, "RECIPIENTS_INVALID");
    assert.match(resultOf(bad).statusMessage, /'hello': .*'123': /);
    assert.deepEqual(
      [good, bad].map((msg) => (msg.parts as { index: number; count: number }).index),
      [0, 1],
    );
  });

  it("writes the id that was used back where it came from", async () => {
    const { send, ports } = await start({ sender: { clientMessageId: "id", clientMessageIdSource: "msg" } });
    send({ to: numbers(1001), payload: "x", id: "order-7" });
    const messages = await ports[0]!.until(2);
    assert.deepEqual(
      messages.map((msg) => msg.id),
      messages.map((msg) => resultOf(msg).clientMessageId),
    );
    assert.ok(
      messages.some((msg) => msg.id === "order-7-1") && messages.some((msg) => msg.id === "order-7-2"),
    );
    assert.deepEqual(
      simulator.main.messages.map(({ clientMessageId }) => String(clientMessageId)).sort(),
      messages.map((msg) => String(msg.id)).sort(),
    );
  });

  it("sends from 'try again' only to those that were not accepted", async () => {
    const { send, ports } = await start({ account: { attempts: 1 } });
    simulator.main.addFault({ skip: 1, answer: { statusCode: 4013 } });
    const to = numbers(2500);
    send({ to, payload: "x" });
    await ports[0]!.until(2);
    const [late] = await ports[2]!.until(1);
    send(late as Record<string, unknown>);
    const messages = await ports[0]!.until(3);
    assert.deepEqual(simulator.main.messages.flatMap(({ recipients }) => recipients).sort(), to);
    assert.deepEqual(
      messages.map((msg) => (msg.parts as { index: number }).index).sort(ascending),
      [0, 1, 2],
      "so that Join still gets the whole sequence",
    );
  });
});
