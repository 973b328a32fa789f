import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { Account } from "../../../lib/runtime/account/account";
import { waitFor } from "../../support/wait-for";
import { useFolder } from "../../unit/store/use-folder";
import { type Config, resultOf, SENDER, type TestFlow } from "../flow";
import { useSimulator } from "../use-simulator";
import { control, inStore, startStored, storeOf, TO } from "./stored-flow";
import { ask } from "../dialog-tests/ask";

const ONCE: Config = { onceKey: "key", onceKeySource: "msg", onceWithin: "24h" };

const OTHER = "41790000002";
const THIRD = "41790000003";

/** Names of the results, with how many recipients each has, sorted. */
const summary = (messages: readonly NodeMessage[]): string[] =>
  messages.map((msg) => `${resultOf(msg).statusName} ${resultOf(msg).recipients.length}`).sort();

const count = (messages: readonly NodeMessage[], name: string): number =>
  messages.filter((msg) => resultOf(msg).statusName === name).length;

describe("guards of messages in a store", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  const sentTo = (): string[] =>
    simulator.main.messages
      .flatMap(({ recipients }) => recipients.map((each) => each.replace("+", "")))
      .sort();
  const start = (account: Config = {}, sender: Config = {}): Promise<TestFlow> =>
    startStored(simulator, folder(), { account, sender: { ...ONCE, ...sender } });
  const optOuts = (flow: TestFlow) => Account.of(flow.account).optOuts();
  const counts = async (flow: TestFlow) => {
    const { store, account } = await storeOf(flow);
    return store.backlog.counts(account);
  };

  it("send one of twenty messages with the same once key, and say of the others when it left", async () => {
    const flow = await start();
    for (let n = 0; n < 20; n++) {
      flow.send({ to: TO, payload: "x", key: "invoice-7" });
    }
    const messages = await flow.all.until(20);
    assert.deepEqual([count(messages, "OK"), count(messages, "ALREADY_SENT")], [1, 19]);
    assert.equal(simulator.main.requestCount, 1);
    flow.send({ to: TO, payload: "another text", key: "invoice-7" });
    flow.send({ to: OTHER, payload: "x", key: "invoice-7" });
    const more = (await flow.all.until(22)).slice(20);
    assert.deepEqual(summary(more), ["KEY_REUSED 1", "OK 1"]);
    const last = resultOf(messages.find((msg) => resultOf(msg).statusName === "ALREADY_SENT"));
    assert.match(last.statusMessage, /\(\+4179…001: .*\d\d:\d\d/);
    assert.deepEqual([last.outcome, last.recipients, last.clientMessageId], ["rejected", [TO], null]);
  });

  it("let exactly 100 of 1,000 messages leave where 100 may, also after a restart", async () => {
    const limits = { limitDay: "100", limitAction: "refuse" };
    const flow = await start(limits, { onceKeySource: "blank" });
    for (let n = 0; n < 1_000; n++) {
      flow.send({ to: String(41791000000 + n), payload: "x" });
    }
    const messages = await flow.all.until(1_000);
    assert.deepEqual([count(messages, "OK"), count(messages, "LIMIT_REACHED")], [100, 900]);
    assert.equal(sentTo().length, 100);
    await flow.stop();
    const next = await start(limits, { onceKeySource: "blank" });
    next.send({ to: TO, payload: "x" });
    assert.deepEqual(summary(await next.all.until(1)), ["LIMIT_REACHED 1"]);
  });

  it("let what is above a limit wait, and go on with a higher one", async () => {
    const limits = { limitHour: "2", limitAction: "hold" };
    const flow = await start(limits, { onceKeySource: "blank" });
    flow.send({ to: [TO, OTHER, THIRD], payload: "x" });
    await waitFor("two to be sent", () => sentTo().length === 2);
    flow.send({ to: TO, payload: "y" });
    await waitFor("two requests to wait", async () => {
      const { ready, sending } = await counts(flow);
      return ready === 2 && sending === 0;
    });
    assert.deepEqual(summary(await flow.all.until(1)), ["OK 2"]);
    await flow.stop();
    const next = await start({ ...limits, limitHour: "4" }, { onceKeySource: "blank" });
    assert.deepEqual(summary(await next.all.until(2)), ["OK 1", "OK 1"]);
    assert.deepEqual(sentTo(), [TO, TO, OTHER, THIRD]);
  });

  it("look again when a message leaves: who opted out meanwhile gets nothing, and is reported beside the others", async () => {
    const flow = await start();
    await control(flow, "pause");
    flow.send({ to: [TO, OTHER, THIRD], payload: "x", key: "a", parts: { id: "outer", index: 0, count: 1 } });
    flow.send({ to: OTHER, payload: "x", key: "b" });
    await waitFor("both to wait", async () => (await counts(flow)).ready === 2);
    await (await optOuts(flow)).add([OTHER], "all", "flow");
    await control(flow, "resume");
    await flow.completed.until(2);
    const { messages } = flow.all;
    assert.deepEqual(summary(messages), ["OK 2", "OPTED_OUT 1", "OPTED_OUT 1"]);
    assert.deepEqual(sentTo(), [TO, THIRD]);
    const late = messages.find(
      (msg) =>
        resultOf(msg).statusName === "OPTED_OUT" && Array.isArray((msg as unknown as { to: unknown }).to),
    );
    assert.equal("parts" in (late ?? {}), false);
    assert.deepEqual((late as unknown as { to: unknown }).to, [OTHER]);
    const sent = messages.find((msg) => resultOf(msg).statusName === "OK") as unknown as { to: unknown };
    assert.deepEqual(sent.to, [TO, THIRD], "who is sent the message again must not get it who opted out");
    assert.equal(flow.completed.messages.length, 2);
  });

  it("hold back a test of the dialog to somebody who opted out, and send no test while the list cannot be read", async () => {
    const flow = await start();
    await (await optOuts(flow)).add([TO], "all", "flow");
    const config = { messageContent: "Hello", messageContentSource: "str" };
    const test = async (to: string) =>
      (await ask("send-test", { type: "messaging-sms-send", node: SENDER, config, to: `+${to}` })).body;
    assert.equal((await test(TO)).result?.statusName, "OPTED_OUT");
    assert.equal((await test(OTHER)).result?.statusName, "OK");
    await inStore(folder(), "ALTER TABLE opt_outs RENAME TO elsewhere");
    assert.equal((await test(OTHER)).result, undefined);
    await inStore(folder(), "ALTER TABLE elsewhere RENAME TO opt_outs");
    assert.deepEqual(sentTo(), [OTHER]);
  });
});
