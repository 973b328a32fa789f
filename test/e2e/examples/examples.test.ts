// Slow: it runs Node-RED processes, kills one, and an alarm digest leaves seconds after the first alarm.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ExampleRun } from "../../support/node-red/example-run";
import { onEachNodeRed } from "../../support/node-red/on-each-node-red";
import { restart } from "../../support/node-red/restart";
import { checkExample } from "./check-example";
import { reportOf } from "./report-of";

/** Recipients and text of each message that the service accepted, as one line. */
const accepted = async (run: ExampleRun): Promise<readonly string[]> =>
  (await run.taken()).map(({ recipients, content }) => `${recipients.join()}: ${content}`);

onEachNodeRed("examples that people use most", (bench) => {
  it("sends the first SMS of example 01 and shows its outcome", () =>
    checkExample(bench, "01 - Send one SMS", async (run) => {
      await run.press("Send a greeting");
      const [emitted] = await run.leaving("Send SMS");
      assert.equal(emitted?.to, run.id("Accepted"));
      assert.deepEqual([emitted?.msg.result.outcome, emitted?.msg.result.simulated], ["sent", true]);
      assert.deepEqual(await accepted(run), ["999555000001: Hello from Node-RED: Grüße aus Zürich!"]);
      await run.badge("Accepted", ({ text }) => text === "OK");
    }));

  it("receives delivery reports by webhook in example 14 and sums them up", () =>
    checkExample(bench, "14 - Delivery reports of an SMS", async (run) => {
      await run.press("Send the offer");
      const [summary, ...more] = await run.reaching("All reports are in");
      assert.deepEqual(more, []);
      assert.deepEqual(summary?.msg.payload, {
        delivered: 3,
        failed: 2,
        failedNumbers: ["+999030101", "+999030103"],
        open: [],
      });
      const failed = await run.reaching("Why it failed", 2);
      assert.deepEqual(failed.map(({ msg }) => msg.wait.status).sort(), ["expired", "rejected"]);
    }));

  it("sends no newsletter of example 16 after STOP, and the next one after START", () =>
    checkExample(bench, "16 - Newsletter that honours STOP and sending hours", async (run) => {
      const BEN = "999560007";
      const report = async (issue: number) => {
        await run.press(`Send issue ${issue}`);
        const [seen] = await run.reaching("Report");
        return seen?.msg.payload;
      };
      const of = (issue: number, sent: number, notSent: object) => ({
        issue,
        sent,
        notSent,
        simulated: true,
      });
      assert.deepEqual(await report(1), of(1, 4, {}));
      // Ben answers STOP by itself.
      const [confirmed] = await run.reaching("Confirmed");
      assert.deepEqual(confirmed?.msg.event.optOut, { change: "stop", scope: "advertisement", number: BEN });
      assert.deepEqual(await report(2), of(2, 3, { OPTED_OUT: 1 }));
      const [held] = await run.reaching("Held back");
      assert.deepEqual([held?.msg.result.outcome, held?.msg.result.recipients], ["rejected", [BEN]]);
      assert.deepEqual(await report(1), of(1, 0, { ALREADY_SENT: 3, OPTED_OUT: 1 }), "once for each reader");

      await bench.nodeRed.clearRecording();
      await run.write(BEN, "Start");
      await run.reaching("Confirmed");
      assert.deepEqual(await report(2), of(2, 1, { ALREADY_SENT: 3 }));
      const texts = (await accepted(run)).filter((line) => line.startsWith(`${BEN}: `));
      // He answers STOP to this one too, so more may follow.
      assert.deepEqual(
        texts.slice(0, 4).map((text) => /Garden news \d|You get no more|Welcome back/.exec(text)?.[0]),
        ["Garden news 1", "You get no more", "Welcome back", "Garden news 2"],
      );
    }));

  it("waits for YES and NO in example 18, after a kill as well", () =>
    checkExample(bench, "18 - Appointment reminders with YES and NO", async (run) => {
      const [ADA, BEN, CLEO] = ["+999560005", "+999560008", "+999555000003"];
      await run.press("Remind everybody");
      const wrong = await run.reaching("Not sent", 2);
      assert.deepEqual(
        wrong.map(({ msg }) => [msg.parts.index, msg.payload.name, msg.result.statusName]),
        [
          [3, "Dan", "RECIPIENTS_INVALID"],
          [5, "Finn", "RECIPIENTS_INVALID"],
        ],
      );
      // Ada and Ben answer by themselves.
      const written = await run.reaching("Written", 2);
      assert.deepEqual(written.map(({ msg }) => [msg.to, msg.wait.word, msg.answer]).sort(), [
        [ADA, "YES", "confirmed"],
        [BEN, "NO", "cancelled"],
      ]);
      assert.equal((await run.taken()).length, 4);

      // After a kill, a reply leaves again unless the store has recorded it.
      await run.badge("YES or NO?", ({ text }) => text === "waiting for 2 · 2 replied");
      await restart(run.bench, "kill");
      await run.write(CLEO, "Can I come later?");
      const [called] = await run.reaching("Written");
      assert.deepEqual(
        [called?.msg.to, called?.msg.wait.text, called?.msg.answer],
        [CLEO, "Can I come later?", "call back"],
      );
      const file = await readFile(join(run.nodeRed.folder, "appointments", "answers.csv"), "utf8");
      assert.equal(file.trim().split("\n").length, 3);
      await run.press("Show who confirmed");
      const [list] = await run.reaching("The list");
      assert.deepEqual(list?.msg.payload, {
        confirmed: ["Ada, Monday 09:00"],
        cancelled: ["Ben, Monday 09:30"],
        "call back": ["Cleo, Monday 10:00"],
        "no answer": [],
      });
    }));

  it("sends each row of the CSV of example 22 its own text, and again only to failures", () =>
    checkExample(bench, "22 - Personal reminders with a report", async (run) => {
      // The outcome of one message stays open.
      await run.deploy({ "Delivered?": { within: "5 min" }, "All rows": { timeout: "1" } });
      const first = await reportOf(run, "Remind everybody", 19);
      assert.deepEqual(first["Not delivered"], ["Finn", "Jack"]);
      assert.deepEqual(first["Not sent"], ["Sam", "Tina"]);
      assert.equal(first.Delivered?.length, 15);
      const texts = await accepted(run);
      assert.equal(texts.length, 18);
      assert.ok(
        texts.some((text) => text.endsWith(": Hello Ada, we expect you on Monday at 09:00. Your practice")),
      );

      const again = await reportOf(run, "Again to those who failed", 2);
      assert.deepEqual(again["Not delivered"], ["Finn", "Jack"]);
      assert.equal((await run.taken()).length, 20, "only the two that failed");
    }));

  it("gathers fifty alarms of example 20 into one SMS at once and a digest", () =>
    checkExample(bench, "20 - On-call escalation", async (run) => {
      await run.deploy({
        "On duty": { template: "Emil, +999555000009" },
        "Gather alarms": { every: "3s", quiet: "4s" },
        // If the flows stop right after a digest, the next test with this example and its store gets it again.
        "messaging-account": { storeFolder: "fifty-alarms" },
      });
      await run.press("50 alarms");
      await run.reaching("Over");
      const texts = (await run.taken()).map(({ content }) => `${content}`);
      assert.match(
        texts.pop() ?? "",
        /^Over: Pump 2 has stopped\. Quiet since \d\d:\d\d, alarms in all: 50\.$/,
      );
      const counts = texts.map((text) => {
        const [, count = 1] =
          /^Pump 2 has stopped\. (?:(\d+) alarms since .*)?Do you take it\?/.exec(text) ?? [];
        return Number(count);
      });
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        50,
      );
      // The busier the machine is, the more alarms the first message has, and the more digests follow.
      assert.ok(counts.length > 1 && counts.length < 25, counts.join());
    }));
});
