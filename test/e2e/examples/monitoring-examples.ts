import assert from "node:assert/strict";
import { parseOpenMetrics } from "../../support/open-metrics";
import type { ExampleCheck } from "../../support/node-red/example-run";

/** What the examples that look at an account must do, by file name. */
export const MONITORING_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "25 - Tell me when messages stop": async (run) => {
    const send = async (button: string): Promise<void> => {
      await run.press(button);
      await run.reaching(button === "Send one" ? "Accepted" : "Not accepted");
    };
    /** Looks once more. @returns what the person in charge has got so far */
    const look = async (): Promise<readonly string[]> => {
      await run.press("Look now");
      const [state] = await run.reaching("Only changes");
      if ((await run.seenAt("What to say")).length > 0) {
        await run.leaving("Tell the person in charge");
      }
      assert.equal(typeof state?.msg.payload.healthy, "boolean");
      const told = await run.simulator.messages(run.id("Alarm account"));
      return told.map(({ recipients, content }) => `${recipients.join()} ${content}`);
    };
    try {
      assert.deepEqual(await look(), [], "all is well at first");
      await send("Send one");
      assert.deepEqual(await look(), []);
      await send("Send one that is refused");
      const [alarm = "", ...more] = await look();
      assert.deepEqual(more, []);
      assert.match(
        alarm,
        /^999555000001 Messages do not leave\. The last message failed at .+ The account is not valid\. /,
      );
      assert.equal((await look()).length, 1, "once");
      await send("Send one that is refused");
      assert.equal((await look()).length, 1, "for each change");
      await send("Send one");
      const [, again] = await look();
      assert.equal(again, "999555000001 Messages leave again.");
      assert.equal((await look()).length, 2);

      // A restart of the flow, while the account is stopped.
      await run.nodeRed.clearRecording();
      await run.deploy({ "Demo account 25": { stopSending: true } });
      await run.reaching("Only changes");
      const [, , stopped, ...others] = await look();
      assert.deepEqual(others, []);
      assert.match(stopped ?? "", / Messages do not leave\. The settings of the account stop all sending\./);
    } finally {
      await run.simulator.reset(run.id("Alarm account"));
    }
  },

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
