import assert from "node:assert/strict";
import { say } from "../../../lib/texts/say";
import { parseOpenMetrics } from "../../support/open-metrics";
import type { ExampleCheck } from "../../support/node-red/example-run";

/** Words of the example in one of its languages. */
interface Words {
  readonly stopped: string;
  readonly again: string;
}

/** Tells the person in charge once for each change. */
export const checkStopped =
  ({ stopped, again }: Words): ExampleCheck =>
  async (run) => {
    const send = async (button: string): Promise<void> => {
      await run.press(button);
      await run.reaching(button === "Send one" ? "Accepted" : "Not accepted");
    };
    let before = 0;
    /** Looks once more. @param many messages that the person in charge has got then @returns the last of them */
    const look = async (many: number): Promise<string> => {
      await run.press("Look now");
      const [state] = await run.reaching("Only changes");
      if (many > before) {
        await run.leaving("Tell the person in charge");
      }
      before = many;
      assert.equal(typeof state?.msg.payload.healthy, "boolean");
      const messages = await run.simulator.messages(run.id("Alarm account"));
      assert.equal(messages.length, many);
      const last = messages.at(-1);
      return last === undefined ? "" : `${last.recipients.join()} ${last.content}`;
    };
    try {
      await look(0);
      await send("Send one");
      await look(0);
      await send("Send one that is refused");
      const alarm = await look(1);
      const begin = `999555000001 ${stopped} The last message failed at `;
      assert.equal(alarm.slice(0, begin.length), begin);
      assert.match(alarm, / The account is not valid\. /);
      await look(1);
      await send("Send one that is refused");
      await look(1);
      await send("Send one");
      assert.equal(await look(2), `999555000001 ${again}`);
      await look(2);

      // A restart of the flow, while the account is stopped.
      await run.nodeRed.clearRecording();
      await run.deploy({ "Demo account 25": { stopSending: true } });
      // What it begins with has come.
      await run.reaching("Only changes");
      const after = await look(3);
      assert.equal(after.slice(13), `${stopped} ${say("record.health.stoppedBySettings")}`);
      await look(3);
    } finally {
      await run.simulator.reset(run.id("Alarm account"));
    }
  };

/** What the examples that look at an account must do, by file name. */
export const MONITORING_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "25 - Tell me when messages stop": checkStopped({
    stopped: "Messages do not leave.",
    again: "Messages leave again.",
  }),

  "26 - Metrics for Prometheus": async (run) => {
    const scrape = async () => {
      const answer = await fetch(`${run.nodeRed.url}/messaging-metrics`);
      assert.equal(answer.status, 200);
      // The server puts its parameters into another order.
      const type = (answer.headers.get("content-type") ?? "").split("; ").sort();
      assert.deepEqual(type, ["application/openmetrics-text", "charset=utf-8", "version=1.0.0"]);
      const text = await answer.text();
      assert.doesNotMatch(text, /999555|Your table/);
      return parseOpenMetrics(text);
    };
    const before = await scrape();
    assert.equal(before.get("messaging_healthy")?.samples.get(""), 1);
    assert.equal(before.get("messaging_last_accepted_timestamp_seconds"), undefined);
    await run.press("Send one");
    await run.leaving("Send SMS");
    const after = await scrape();
    const accepted = after.get("messaging_last_accepted_timestamp_seconds")?.samples.get("") ?? 0;
    assert.ok(Math.abs(accepted - Date.now() / 1000) < 600);
    assert.equal(after.get("messaging_waiting_requests")?.samples.get(""), 0);
    assert.match(
      after.get("messaging_last_accepted_timestamp_seconds")?.help ?? "",
      /^When a message was last accepted/,
    );
  },
};
