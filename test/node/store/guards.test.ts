import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { localVerdict } from "../../../lib/gateway/codec/verdict";
import { answerOf } from "../../../lib/gateway/queue/stored-content";
import { Account } from "../../../lib/runtime/account/account";
import { Store } from "../../../lib/store/store";
import { SAMPLE_NUMBERS } from "./sample-numbers";
import { waitFor } from "../../support/wait-for";
import { useFolder } from "../../unit/store/use-folder";
import { type Config, resultOf, SENDER, type TestFlow } from "../flow";
import { useSimulator } from "../use-simulator";
import { control, inStore, killed, startStored, storeOf, TO } from "./stored-flow";
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

  it("know a once key after a restart", async () => {
    const first = await start();
    first.send({ to: TO, payload: "x", key: "invoice-7" });
    await first.all.until(1);
    await first.stop();
    await killed(folder());
    const second = await start();
    second.send({ to: TO, payload: "x", key: "invoice-7" });
    assert.deepEqual(summary(await second.all.until(1)), ["ALREADY_SENT 1"]);
    assert.equal(simulator.main.requestCount, 1);
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
      const { ready, leaving } = await counts(flow);
      return ready === 2 && leaving === 0;
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
    const messages = await flow.all.until(3);
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
    await flow.completed.until(2);
    assert.equal(flow.completed.messages.length, 2);
  });

  it("send the rest alone of a message that another process has divided", async () => {
    const flow = await start({}, { onceKeySource: "blank", notBefore: "2s", notBeforeSource: "str" });
    flow.send({ to: [TO, OTHER, THIRD], payload: "x" });
    const { account, store } = await storeOf(flow);
    await waitFor("it to wait", async () => (await counts(flow)).waiting === 1);
    await store.optOuts(account).add([OTHER], "all", "flow");
    // Its clock is ahead, so that this process is late.
    const clock = { now: () => Date.now() + 60_000, elapsed: () => performance.now() };
    const ahead = new Store(store.engine, { keepTexts: false, clock });
    // Its start would end the life of this one in a file.
    await inStore(folder(), "INSERT INTO instances VALUES ('another', 'host', 1, 0, 0, NULL)");
    const [request] = await ahead.claims.claim(account, "another", 1);
    const settled = {
      outcome: "rejected" as const,
      answer: answerOf("sms.simple", localVerdict("OPTED_OUT"), false, false),
    };
    const group = { recipients: [OTHER], settled, until: null };
    await ahead.divisions.divide(request!, account, "another", [group], true);
    assert.deepEqual(summary(await flow.all.until(2)), ["OK 2", "OPTED_OUT 1"]);
    assert.deepEqual(sentTo(), [TO, THIRD]);
  });

  it("hold back a test of the dialog to somebody who opted out, and send no test while the list cannot be read", async () => {
    const flow = await start();
    await (await optOuts(flow)).add([TO], "all", "flow");
    const config = { messageContent: "Hello", messageContentSource: "str" };
    const test = async (to: string) =>
      (await ask("send-test", { type: "sms-send", node: SENDER, config, to: `+${to}` })).body;
    assert.equal((await test(TO)).result?.statusName, "OPTED_OUT");
    assert.equal((await test(OTHER)).result?.statusName, "OK");
    await inStore(folder(), "ALTER TABLE opt_outs RENAME TO elsewhere");
    assert.equal((await test(OTHER)).result, undefined);
    await inStore(folder(), "ALTER TABLE elsewhere RENAME TO opt_outs");
    assert.deepEqual(sentTo(), [OTHER]);
  });

  it("let 9,830 of 10,000 leave, and report 170 in three results", async () => {
    const { mobiles, abroad, wrong } = SAMPLE_NUMBERS;
    const flow = await start({ allowedCountries: "CH" });
    const list = [...mobiles(9_930), ...abroad(50), ...wrong(20)];
    const gone = mobiles(9_930)
      .filter((_, n) => n % 99 === 0)
      .slice(0, 100);
    await (await optOuts(flow)).add(gone, "all", "import");
    flow.send({ to: list, payload: "x", key: "newsletter-11" });
    await flow.completed.until(1);
    const messages = flow.all.messages;
    const held = messages.filter((msg) => resultOf(msg).outcome === "rejected");
    assert.deepEqual(summary(held), ["COUNTRY_NOT_ALLOWED 50", "OPTED_OUT 100", "RECIPIENTS_INVALID 20"]);
    assert.equal(sentTo().length, 9_830);
    assert.equal(new Set(sentTo()).size, 9_830);
    const parts = (messages[0] as unknown as { parts: { count: number } }).parts;
    assert.equal(parts.count, messages.length);
  });
});
