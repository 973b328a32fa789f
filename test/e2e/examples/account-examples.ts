import assert from "node:assert/strict";
import type { ExampleCheck } from "../../support/node-red/example-run";
import { waitFor } from "../../support/wait-for";

/** What the examples that look at an account, and look back, must do, by file name. */
export const ACCOUNT_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "15 - Nightly summary by outcome and delivery": async (run) => {
    await run.press("Send to four people");
    const [emitted] = await run.leaving("Send SMS");
    assert.equal(emitted?.to, run.id("Accepted"));
    await run.press("Summary now");
    const [summary] = await run.leaving("Table");
    assert.match(String(summary?.msg.payload), /^Messages from \S+ to \S+: 4\n\n\| channel /);
  },

  "17 - Birthday greetings once a year for each person": async (run) => {
    /** Names on the messages that reach a node after a look at the day. */
    const look = async (node: string, count: number): Promise<readonly string[]> => {
      await run.press("Look now");
      const seen = await run.reaching(node, count);
      return [...new Set(seen.map(({ msg }) => msg.payload.name))].sort();
    };
    const deployOn = async (day: string): Promise<void> => {
      const flows = JSON.stringify(run.example.flows).replaceAll("$moment()", `$moment('${day}')`);
      await run.nodeRed.deploy(JSON.parse(flows));
    };
    assert.deepEqual(await look("Greeted", 2), ["Ada", "Byron"]);
    assert.deepEqual(await look("Greeted already", 2), ["Ada", "Byron"]);
    assert.equal((await run.taken()).length, 2, "each once a year");
    await deployOn("2101-02-28");
    assert.deepEqual(await look("Greeted", 3), ["Ada", "Byron", "Grace"]);
    await deployOn("2104-02-28");
    assert.deepEqual(await look("Greeted", 2), ["Ada", "Byron"]);
    await deployOn("2104-02-29");
    assert.deepEqual(await look("Greeted", 1), ["Grace"], "born on 29 February");
  },

  "23 - Did this person get it": async (run) => {
    const ask = async (button: string): Promise<string> => {
      await run.press(button);
      const [answer] = await run.reaching("Answer");
      return String(answer?.msg.payload);
    };
    assert.equal(await ask("Nobody?"), "No message to +999 555 000 077 in the last 7 days.");
    await run.press("Send to three people");
    await run.reaching("Accepted");
    const yes = /^Yes: \+999555000001 got the message of \S+\. It arrived at \S+\.$/;
    const no = /^No: the message of \S+ to \+999030101 did not arrive\. The service says: expired\.$/;
    await waitFor("a delivered message", async () => yes.test(await ask("Ada?")));
    await waitFor("a failed message", async () => no.test(await ask("Finn?")));
  },

  "25 - Tell me when messages stop": async (run) => {
    const alarms = run.id("Alarm account");
    const send = async (button: string): Promise<void> => {
      await run.press(button);
      await run.reaching(button === "Send one" ? "Accepted" : "Not accepted");
    };
    /** Checks the account and returns the last of the expected messages to the person in charge. */
    const check = async (count: number): Promise<string> => {
      await run.press("Look now");
      await run.leaving("State");
      const messages = await waitFor(`message ${count} to the person in charge`, async () => {
        const accepted = await run.simulator.messages(alarms);
        return accepted.length >= count && accepted;
      });
      assert.equal(messages.length, count);
      return String(messages.at(-1)?.content);
    };
    // Its message resets "Only changes" when it comes late.
    await run.deploy({ "Healthy at first": { once: false } });
    try {
      await send("Send one");
      await check(0);
      await send("Send one that is refused");
      assert.match(await check(1), /^Messages do not leave\. The last message failed at /);
      await send("Send one that is refused");
      await check(1);
      await send("Send one");
      assert.equal(await check(2), "Messages leave again.");
    } finally {
      await run.simulator.reset(alarms);
    }
  },

  "26 - Metrics for Prometheus": async (run) => {
    const scrape = async (): Promise<string> => {
      const answer = await fetch(`${run.nodeRed.url}/messaging-metrics`);
      assert.match(answer.headers.get("content-type") ?? "", /^application\/openmetrics-text/);
      return answer.text();
    };
    const metrics = await scrape();
    assert.match(metrics, /^messaging_healthy(?:\{.*\})? 1$/m);
    assert.ok(metrics.endsWith("\n# EOF\n"));
    await run.press("Send one");
    await run.leaving("Send SMS");
    assert.match(await scrape(), /^messaging_last_accepted_timestamp_seconds(?:\{.*\})? \d+/m);
  },
};
