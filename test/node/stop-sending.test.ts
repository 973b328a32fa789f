import assert from "node:assert/strict";
import { Account } from "../../lib/runtime/account/account";
import { useFolder } from "../unit/store/use-folder";
import { waitFor } from "../support/wait-for";
import { ask } from "./dialog-tests/ask";
import { ACCOUNT, type Config, resultOf, SENDER, type TestFlow, untilBadge } from "./flow";
import { startStored, TO } from "./store/stored-flow";
import { useSimulator } from "./use-simulator";

/** What the sidebar is told. */
const sending = async (action: "look" | "stop" | "go-on") => {
  const { body } = await ask(`sending/${action}`, {});
  return body as { stoppedSince: string | null; stoppedBySettings: boolean; waiting: number };
};

describe("all sending of an account is stopped", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  const sentTexts = (): string[] => simulator.main.messages.map(({ content }) => String(content));

  const start = (account: Config = {}): Promise<TestFlow> => startStored(simulator, folder(), { account });
  const badge = (flow: TestFlow, text: string) => untilBadge(flow, new RegExp(`^${text}$`));
  /** Nothing leaves from now on. */
  const stop = async () => {
    await waitFor("the account", async () => (await sending("look")).waiting === 0);
    return sending("stop");
  };
  const waiting = (count: number) =>
    waitFor(`${count} waiting`, async () => (await sending("look")).waiting === count);

  it("by a person: what comes waits, and leaves once when it goes on", async () => {
    const flow = await start();
    const stopped = await stop();
    assert.match(stopped.stoppedSince ?? "", /^20\d\d-.*Z$/);
    assert.equal(stopped.stoppedBySettings, false);
    await badge(flow, "stopped");
    for (const payload of ["a", "b", "c"]) {
      flow.send({ to: TO, payload });
    }
    await waiting(3);
    await badge(flow, "stopped · 3 waiting");
    const { status } = flow.statuses.messages.at(-1) as unknown as { status: { fill: string } };
    assert.equal(status.fill, "yellow");
    assert.deepEqual([sentTexts(), flow.all.messages], [[], []]);
    const again = await sending("stop");
    assert.deepEqual(again, { ...stopped, waiting: 3 });
    const after = await sending("go-on");
    assert.equal(after.stoppedSince, null);
    await flow.ports[0]!.until(3);
    await flow.completed.until(3);
    assert.deepEqual(sentTexts().sort(), ["a", "b", "c"]);
    await badge(flow, "3 accepted");
    const said = flow.log("warn").filter((line) => /sends again|is stopped/.test(line));
    assert.deepEqual(
      said.map((line) => /stopped|again/.exec(line)?.[0]),
      ["stopped", "again"],
    );
  });

  it("by a person: what is cancelled meanwhile is not sent, however much waits", async () => {
    const flow = await start();
    await stop();
    for (let n = 0; n < 60; n++) {
      flow.send({ to: TO, payload: `text ${n}` });
    }
    await waiting(60);
    flow.send({ cancel: true });
    await flow.completed.until(1);
    flow.send({ to: TO, payload: "after" });
    await sending("go-on");
    const messages = await flow.all.until(61);
    const cancelled = messages.filter((msg) => resultOf(msg).statusName === "CANCELLED");
    assert.equal(cancelled.length, 60);
    assert.deepEqual(sentTexts(), ["after"]);
    // The flow may send one of them again.
    const again = cancelled.find(({ payload }) => payload === "text 59");
    assert.ok(again);
    flow.send(again);
    await flow.all.until(62);
    assert.deepEqual(sentTexts(), ["after", "text 59"]);
  });

  it("in its settings: nothing leaves until a deploy takes it off, and the sidebar does not", async () => {
    const flow = await start({ stopSending: true });
    await badge(flow, "stopped");
    flow.send({ to: TO, payload: "a" });
    await waiting(1);
    const { stoppedSince, stoppedBySettings } = await sending("go-on");
    assert.deepEqual([stoppedSince, stoppedBySettings], [null, true]);
    await badge(flow, "stopped · 1 waiting");
    assert.deepEqual([sentTexts(), flow.all.messages], [[], []]);
    await flow.stop();
    const next = await start({ stopSending: false });
    assert.equal(resultOf((await next.ports[0]!.until(1))[0]).outcome, "sent");
    assert.deepEqual(sentTexts(), ["a"]);
  });

  it("by a person and in its settings: the end of one leaves the other", async () => {
    const first = await start();
    await stop();
    await first.stop();
    const both = await start({ stopSending: true });
    await badge(both, "stopped");
    const { stoppedSince, stoppedBySettings } = await sending("look");
    assert.deepEqual([stoppedSince !== null, stoppedBySettings], [true, true]);
    await both.stop();
    const flow = await start({ stopSending: false });
    await badge(flow, "stopped");
    flow.send({ to: TO, payload: "a" });
    await waiting(1);
    assert.deepEqual(sentTexts(), []);
    await sending("go-on");
    await flow.ports[0]!.until(1);
  });

  it("sends no test of a dialog meanwhile", async () => {
    await start({ stopSending: true });
    const config = { messageContent: "Hello", messageContentSource: "str" };
    const { body } = await ask("send-test", {
      type: "messaging-sms-send",
      node: SENDER,
      config,
      to: `+${TO}`,
    });
    assert.deepEqual(body, { error: "stopped" });
    assert.equal(simulator.main.requestCount, 0);
  });

  it("by a person at another Node-RED: this one hears of it, and of its end", async () => {
    const flow = await start();
    const place = await Account.of(flow.account).store();
    assert.ok(place);
    await place.store.queue.pause(ACCOUNT);
    await badge(flow, "stopped");
    flow.send({ to: TO, payload: "a" });
    await badge(flow, "stopped · 1 waiting");
    await place.store.queue.resume(ACCOUNT);
    await flow.ports[0]!.until(1);
    await badge(flow, "1 accepted");
  });
});
