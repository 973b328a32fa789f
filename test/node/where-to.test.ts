import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { ACCOUNT_DEFAULTS } from "../../lib/shared/fields/account-defaults";
import { useFolder } from "../unit/store/use-folder";
import { ask } from "./dialog-tests/ask";
import { type Config, type FlowOptions, resultOf, SENDER, type TestFlow } from "./flow";
import { OTHER_CHANNELS, reached } from "./rules-flow";
import { startStored } from "./store/stored-flow";
import { useSimulator } from "./use-simulator";

const MOBILE = "4915112345678";
const UNKNOWN_TYPE = "49111222";
const FIXED = "4930123456";
const PREMIUM = "499001234567";
const AUSTRIAN = "436641234567";
const ABROAD = "12015550123";

const { allowedCountries, mobileOnly, noPremiumNumbers } = ACCOUNT_DEFAULTS;
const NEW_ACCOUNT: Config = { allowedCountries, mobileOnly, noPremiumNumbers };
const LISTED: Config = { ...NEW_ACCOUNT, allowedCountries: "AT,DE" };

type Parts = { readonly id: string; readonly index: number; readonly count: number };
const partsOf = (msg: NodeMessage): Parts => (msg as { parts: Parts }).parts;

describe("where an account sends to", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  const start = (account: Config, options: FlowOptions = {}): Promise<TestFlow> => {
    return startStored(simulator, folder(), { ...options, account });
  };
  const sentTo = (): string[] => reached(simulator);
  const statusNames = (messages: readonly NodeMessage[]): string[] =>
    [...messages]
      .sort((a, b) => partsOf(a).index - partsOf(b).index)
      .map((msg) => `${resultOf(msg).statusName} ${resultOf(msg).recipients}`);

  it("sends to the others of a list, and says of each reason in a result of its own to whom it did not", async () => {
    const flow = await start(LISTED);
    const list = [ABROAD, MOBILE, "wrong", FIXED, AUSTRIAN, PREMIUM, UNKNOWN_TYPE, "447400123456"];
    flow.send({ to: list, payload: "x" });
    await flow.completed.until(1);
    const messages = await flow.all.until(5);
    assert.deepEqual(statusNames(messages), [
      `OK ${[MOBILE, AUSTRIAN, UNKNOWN_TYPE]}`,
      `COUNTRY_NOT_ALLOWED ${[ABROAD, "447400123456"]}`,
      `NUMBER_TYPE_NOT_ALLOWED ${PREMIUM}`,
      `NUMBER_TYPE_NOT_ALLOWED ${FIXED}`,
      "RECIPIENTS_INVALID wrong",
    ]);
    assert.deepEqual(sentTo(), [UNKNOWN_TYPE, MOBILE, AUSTRIAN].sort());
    assert.equal(simulator.main.requestCount, 1);
    for (const msg of messages) {
      const { recipients, clientMessageId, outcome } = resultOf(msg);
      assert.deepEqual((msg as unknown as { to: unknown }).to, recipients);
      assert.equal(partsOf(msg).count, 5);
      assert.equal(clientMessageId === null, outcome === "rejected");
    }
    assert.equal(flow.ports[1]!.messages.length, 4);
    assert.equal(flow.completed.messages.length, 1);
  });

  it("sends nothing of a message whose only recipient is held back, and leaves msg.parts alone", async () => {
    const flow = await start(LISTED);
    const parts = { id: "outer", index: 4, count: 9 };
    flow.send({ to: ABROAD, payload: "x", parts });
    const [msg] = await flow.ports[1]!.until(1);
    await flow.completed.until(1);
    const { statusName, outcome, statusMessage, advice, recipients, clientMessageId } = resultOf(msg);
    assert.deepEqual([statusName, outcome, clientMessageId], ["COUNTRY_NOT_ALLOWED", "rejected", null]);
    assert.deepEqual(recipients, [ABROAD]);
    assert.match(statusMessage, /“Allowed countries”: \+1201…123: United States\)$/);
    assert.match(advice, /“Allowed countries” under Protection/);
    assert.deepEqual(partsOf(msg!), parts);
    assert.equal(simulator.main.requestCount, 0);
  });

  it("checks types of numbers, and no countries, for a new account", async () => {
    const flow = await start({});
    flow.send({ to: [ABROAD, FIXED, PREMIUM], payload: "x" });
    assert.deepEqual(statusNames(await flow.all.until(3)), [
      `OK ${ABROAD}`,
      `NUMBER_TYPE_NOT_ALLOWED ${PREMIUM}`,
      `NUMBER_TYPE_NOT_ALLOWED ${FIXED}`,
    ]);
    assert.deepEqual(sentTo(), [ABROAD]);
  });

  it("sends flash SMS to mobile numbers only, and voice messages to fixed lines but not to premium numbers", async () => {
    const flow = await start(NEW_ACCOUNT, {
      sender: {
        messageType: "kind",
        messageTypeSource: "msg",
        flashSms: "flash",
        flashSmsSource: "msg",
      },
    });
    flow.send({ to: FIXED, payload: "x", kind: "default", flash: true });
    assert.equal(resultOf((await flow.all.until(1))[0]).statusName, "NUMBER_TYPE_NOT_ALLOWED");
    flow.send({ to: FIXED, payload: "x", kind: "voice", flash: false });
    assert.equal(resultOf((await flow.all.until(2))[1]).outcome, "sent");
    flow.send({ to: PREMIUM, payload: "x", kind: "voice", flash: false });
    assert.equal(resultOf((await flow.all.until(3))[2]).statusName, "NUMBER_TYPE_NOT_ALLOWED");
    assert.deepEqual(sentTo(), [FIXED]);
  });

  it("sends WhatsApp and RCS messages to fixed lines, but not to premium numbers and other countries", async () => {
    for (const sender of OTHER_CHANNELS) {
      const flow = await start(LISTED, { sender });
      flow.send({ to: [FIXED, PREMIUM, ABROAD], payload: "x" });
      const names = statusNames(await flow.all.until(3));
      assert.deepEqual(
        [names[0]?.split(" ").at(-1), ...names.slice(1)],
        [FIXED, `COUNTRY_NOT_ALLOWED ${ABROAD}`, `NUMBER_TYPE_NOT_ALLOWED ${PREMIUM}`],
        sender.type,
      );
      await flow.stop();
    }
  });

  it("checks a test of the dialog too", async () => {
    const flow = await start(LISTED);
    const message = { messageContent: "Hello", messageContentSource: "str" };
    const answered = await ask("send-test", {
      type: "messaging-sms-send",
      node: SENDER,
      config: message,
      to: `+${FIXED}`,
    });
    assert.equal(answered.body.result?.statusName, "NUMBER_TYPE_NOT_ALLOWED", answered.text);
    assert.equal(simulator.main.requestCount, 0);
    assert.equal(flow.all.messages.length, 0);
  });
});
