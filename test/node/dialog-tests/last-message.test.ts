import assert from "node:assert/strict";
import { waitFor } from "../../support/wait-for";
import helper from "node-red-node-test-helper";
import { SENDER } from "../flow";
import { SimulatedService } from "../simulated-service";
import { ask } from "./ask";

const TO = "+41790000001";
const shown = async (id = SENDER): Promise<Record<string, unknown>> => {
  const { body } = await helper.request().get(`/messaging-account/last-message/${id}`);
  return body as Record<string, unknown>;
};

describe("the last message of a send node", () => {
  const service = new SimulatedService({ braces: "fill" });

  it("is a bounded copy, with the first of its rows", async () => {
    const { send, all } = await service.start({
      recipientAddressList: "payload",
      recipientAddressListSource: "msg",
      messageContent: "x",
      messageContentSource: "str",
    });
    assert.deepEqual(await shown(), { at: null, message: null, row: null });
    const payload = Array.from({ length: 60 }, (_none, at) => ({ mobile: TO, at }));
    send({ payload, long: "x".repeat(300), deep: { a: { b: { c: { d: 1 } } } }, file: Buffer.from("x") });
    await all.until(60);
    const { at, message, row } = await shown();
    const copy = message as { payload: unknown[]; long: string; deep: unknown; file: unknown };
    assert.ok(Number(at) > 0);
    assert.deepEqual([copy.payload.length, copy.long.length, copy.file], [50, 200, {}]);
    assert.deepEqual(copy.deep, { a: { b: { c: {} } } });
    assert.deepEqual(row, { mobile: TO, at: 0 });
    assert.deepEqual(await shown("other"), { at: null, message: null, row: null });
  });

  it("is not shown where it is sensitive, nor is one before it", async () => {
    const { send, all } = await service.start();
    send({ to: TO, payload: "secret", sensitive: true });
    await all.until(1);
    const { at, message, row } = await shown();
    assert.ok(Number(at) > 0);
    assert.deepEqual([message, row], [null, null]);
    send({ to: TO, payload: "plain" });
    await all.until(2);
    assert.equal(((await shown()).message as { payload: string }).payload, "plain");
    send({ to: TO, payload: "secret", sensitive: true });
    await all.until(3);
    assert.equal((await shown()).message, null);
  });

  it("is copied once in a second, and then the last of a burst", async () => {
    const { send, all } = await service.start();
    const payload = async (): Promise<unknown> =>
      ((await shown()).message as { payload: string } | null)?.payload;
    send({ to: TO, payload: "first" });
    send({ to: TO, payload: "second" });
    send({ to: TO, payload: "third" });
    await all.until(3);
    assert.equal(await payload(), "first");
    await waitFor("the last message", async () => (await payload()) === "third");
  });

  it("fills the typed texts of a test, and only those", async () => {
    await service.start();
    const test = (config: object, sample: object | null): Promise<{ readonly text: string }> =>
      ask("send-test", {
        type: "sms-send",
        node: SENDER,
        config: { braces: "fill", ...config },
        to: TO,
        sample,
      });
    const typed = { messageContent: "Dear {{name}} {{payload.x}}", messageContentSource: "str" };
    await test(typed, { name: "Anna", payload: { x: 1 } });
    assert.match(service.requests.at(-1)?.rawBody ?? "", /Dear\+Anna\+1/);
    const count = service.requests.length;
    assert.match((await test(typed, null)).text, /no value for \{\{name\}\}, \{\{payload\.x\}\}/);
    const fromMessage = { messageContent: "name", messageContentSource: "msg" };
    assert.match((await test(fromMessage, { name: "Anna" })).text, /FIELD_UNRESOLVED/);
    assert.equal(service.requests.length, count);
  });
});
