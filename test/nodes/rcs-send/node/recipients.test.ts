import assert from "node:assert/strict";
import { type Config, resultOf } from "../../../node/flow";
import { bodyOf, SimulatedService } from "../../../node/simulated-service";

const [ONE, OTHER] = ["+99955500001", "+99955500002"];
const people = (count: number): string[] =>
  Array.from({ length: count }, (_none, at) => `+99955${String(at).padStart(6, "0")}`);

interface Body {
  readonly recipient: string;
  readonly rcsPayload: { RCSMessage: object; messageContact: object };
}

describe("rcs-send: recipients", () => {
  const service = new SimulatedService({ type: "messaging-rcs-send" });
  const bodies = (): Body[] => service.requests.map((request) => bodyOf(request) as Body);

  it("sends one message to each recipient of a list, with its own contact", async () => {
    const { send, ports, completed } = await service.start({ kind: "text" }, { account: { connections: 1 } });
    const to = people(5);
    send({ to, payload: "x" });
    const messages = await ports[0]!.until(5);
    await completed.until(1);
    assert.deepEqual(
      bodies().map(({ recipient, rcsPayload }) => [recipient, rcsPayload.messageContact]),
      to.map((userContact) => [userContact, { userContact }]),
    );
    assert.deepEqual(
      messages.map((msg) => [msg.to, (msg.parts as { index: number }).index]),
      to.map((number, at) => [[number.slice(1)], at]),
    );
    assert.equal(completed.messages.length, 1);
  });

  describe("of a raw payload", () => {
    const raw = { kind: "raw" };
    const RCSMessage = { textMessage: "x" };
    const payload = (messageContact?: unknown): Config => ({ RCSMessage, messageContact });

    it("sends it unchanged", async () => {
      const whole = { RCSMessage: { isTyping: "active" }, messageContact: { userContact: ONE } };
      const { body } = await service.accepted(raw, { to: ONE, payload: whole });
      assert.deepEqual((body as Body).rcsPayload, whole);
      const { body: parsed } = await service.accepted(raw, { to: ONE, payload: JSON.stringify(whole) });
      assert.deepEqual((parsed as Body).rcsPayload, whole);
    });

    it("knows the recipient in any spelling, and sends the contact as it is", async () => {
      for (const spelling of [OTHER.slice(1), `00${OTHER.slice(1)}`, `tel:${OTHER}`, "+999 555-000 02"]) {
        const { send, all, stop } = await service.start(raw);
        send({ to: OTHER, payload: payload({ userContact: spelling }) });
        assert.equal(resultOf((await all.until(1))[0]).source, "service");
        assert.deepEqual(bodies().at(-1)?.rcsPayload.messageContact, { userContact: spelling });
        await stop();
      }
    });

    it("takes a chat id for one recipient", async () => {
      await service.accepted(raw, { to: ONE, payload: payload({ chatId: "abc" }) });
    });

    it("refuses a payload without message or contact, or for somebody else, and sends nothing", async () => {
      for (const [to, what, parameter, words] of [
        [[ONE], "Hello", "rcsPayload", /not JSON/],
        [[ONE], { messageContact: {} }, "rcsPayload.RCSMessage", /is required.*"textMessage"/],
        [[ONE], { RCSMessage }, "rcsPayload.messageContact", /is required, but missing: add /],
        [
          [ONE, OTHER],
          payload({ userContact: ONE }),
          "rcsPayload.messageContact.userContact",
          /'\+99955500002'.*a separate message to each/,
        ],
        [[ONE, OTHER], payload({ chatId: "abc" }), "rcsPayload.messageContact.chatId", /2 recipients/],
      ] as const) {
        const result = await service.refused(raw, { to, payload: what });
        assert.equal(result.parameter, parameter);
        assert.match(result.detail, words);
      }
    });
  });
});
