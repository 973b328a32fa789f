import assert from "node:assert/strict";
import { restart } from "../../support/node-red/restart";
import { waitFor } from "../../support/wait-for";
import type { ExampleCheck, ExampleRun } from "../../support/node-red/example-run";

/** Somebody on duty, and what is known of the number. */
interface Person {
  readonly name: string;
  readonly phone: string;
}

const BEN = { name: "Ben", phone: "+999560008" };
const ADA = { name: "Ada", phone: "+999030004" };
const CLEO = { name: "Cleo", phone: "+999560005" };
/** The service accepts no message to her. */
const DORA = { name: "Dora", phone: "+999004031" };
/** Gets everything, and says nothing. */
const EMIL = { name: "Emil", phone: "+999555000009" };

/** People as somebody types them: by lines, the name and then the number. */
const linesOf = (people: readonly Person[]): string =>
  people.map(({ name, phone }) => `${name}, ${phone}\r\n`).join("\n");

/**
 * Waits until all alarms since the press are gathered, but for those that have left: where much else goes on, the first digest has several.
 * @param rest what the badge says behind their number
 * @returns how many are gathered
 */
export const untilGathered = (run: ExampleRun, alarms: number, rest: RegExp): Promise<number> =>
  waitFor(
    () => `${alarms} alarms; the badge is ${run.bench.statuses.latest(run.id("Gather alarms"))?.text}`,
    async () => {
      const { messages } = await run.nodeRed.recording();
      const left = messages
        .filter(({ from, port }) => from === run.id("Gather alarms") && port === 0)
        .reduce((sum, { msg }) => sum + Number(msg.digest.count), 0);
      const { text = "" } = run.bench.statuses.latest(run.id("Gather alarms")) ?? {};
      const gathered = alarms - left;
      return text.startsWith(`1 group · ${gathered} gathered · `) && rest.test(text) && gathered;
    },
  );

/** What the example that asks people on duty must do, by file name. */
export const ON_CALL_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "20 - On-call escalation": async (run) => {
    const { simulator, account } = run;
    let alarms = 0;
    const deploy = (first: string, second: string, ...people: readonly Person[]) =>
      run.deploy({
        // Each alarm is of another machine, so that none is gathered with one before.
        "Pump 2 stops": { topic: `machine ${++alarms}` },
        "Reply to the SMS?": { within: first },
        "Reply after the call?": { within: second },
        ...(people.length > 0 && { "On duty": { template: linesOf(people) } }),
      });
    const press = () => run.press("Pump 2 stops");
    /** Who got what since the simulator was started or reset. */
    const asked = async (): Promise<string[]> =>
      (await run.taken()).map(
        ({ recipients: [number], fields }) => `${number} ${fields.messageType === "voice" ? "call" : "SMS"}`,
      );
    const sms = ({ phone }: Person): string => `${phone.slice(1)} SMS`;
    const call = ({ phone }: Person): string => `${phone.slice(1)} call`;
    /** Names of those who took an alarm, and how often nobody did, since the recording began. */
    const ends = async () => {
      const taken = await run.seenAt("Taken");
      const nobody = await run.seenAt("Nobody took it");
      return { taken: taken.map(({ msg }) => `${msg.payload}`), nobody: nobody.length };
    };
    /** By the badge, which counts when the store has it. */
    const waitingFor = (count: number) =>
      run.badge("Reply to the SMS?", ({ text }) => text === `waiting for ${count}`);
    const takenBy = ({ name }: Person): string => `Pump 2 has stopped. ${name} takes it.`;

    // One says no, one is silent, and the next one is called and says yes.
    await deploy("6s", "6s");
    await press();
    await run.reaching("Taken");
    assert.deepEqual(await ends(), { taken: [takenBy(CLEO)], nobody: 0 });
    assert.deepEqual(await asked(), [sms(BEN), sms(ADA), call(CLEO)]);
    const [first, , spoken] = await run.taken();
    assert.equal(first?.content, "Pump 2 has stopped. Do you take it? Answer OK or NO.");
    assert.match(spoken?.content ?? "", /^This is an alarm\. Pump 2 has stopped\. /);
    await run.badge("Taken", ({ fill, text }) => fill === "green" && text === "Cleo takes it");

    // The end of the list, after a message that failed at once, and the alarm is over.
    await simulator.reset(account);
    await deploy("1s", "1s", DORA, BEN, ADA, EMIL);
    await press();
    await run.reaching("Nobody took it");
    assert.deepEqual(await ends(), { taken: [], nobody: 1 });
    // To the first one no SMS can be sent, so the next one is called.
    assert.deepEqual(await asked(), [call(BEN), sms(ADA), call(EMIL)]);
    await run.badge("Nobody took it", ({ fill }) => fill === "red");

    // Two alarms wait while Node-RED is killed: one person answers after that, the other one stays silent.
    await simulator.reset(account);
    await deploy("5 min", "5 min", EMIL, CLEO);
    await press();
    await waitingFor(1);
    await deploy("20s", "10s", ADA, CLEO);
    await press();
    await waitingFor(2);
    assert.deepEqual(await asked(), [sms(EMIL), sms(ADA)]);
    await restart(run.bench, "kill");
    await run.write(EMIL.phone, "Which pump?");
    const [other] = await run.reaching("Wrote something else");
    assert.deepEqual([other?.msg.person, other?.msg.wait.text], [EMIL, "Which pump?"]);
    assert.ok(!(await ends()).taken.includes(takenBy(EMIL)), "the time runs on");
    await run.write(EMIL.phone, "ok!");
    await waitFor("both alarms to be taken", async () => (await ends()).taken.length === 2);
    const { taken, nobody } = await ends();
    assert.deepEqual([taken.sort(), nobody], [[takenBy(CLEO), takenBy(EMIL)], 0]);
    assert.deepEqual(await asked(), [call(CLEO)], "since the restart");

    // Fifty alarms: one SMS at once, and the others in one message, after a kill as well; nothing more once it is taken, and one message in the end.
    await simulator.reset(account);
    const gathering = (every: string, quiet: string) =>
      run.deploy({
        "50 alarms": { topic: "press 3" },
        "On duty": { template: linesOf([EMIL]) },
        "Gather alarms": { every, quiet },
      });
    const texts = async () => (await run.taken()).map(({ content }) => `${content}`);
    await gathering("30s", "5 min");
    await run.press("50 alarms");
    const others = await untilGathered(run, 50, /next \d\d:\d\d · 3 muted$/);
    assert.equal((await texts()).length, 1, "one at once");
    await restart(run.bench, "kill");
    await waitFor("the others in one message", async () => (await texts()).length === 1);
    const [second = ""] = await texts();
    assert.match(second, /^Pump 2 has stopped\. \d+ alarms since \d\d:\d\d\. Do you take it\?/);
    assert.ok(second.includes(` ${others} alarms `), `${second}, and not ${others}`);
    await run.badge("Reply to the SMS?", ({ text }) => /^waiting for [12]/.test(text ?? ""));
    await run.write(EMIL.phone, "OK");
    await run.reaching("Taken");
    await run.badge("Gather alarms", ({ text }) => text === "4 muted");
    // It holds for what comes from now on.
    await gathering("5s", "15s");
    await run.press("50 alarms");
    assert.equal(await untilGathered(run, 50, /gathered · 4 muted$/), 50);
    await run.reaching("Over");
    const all = await texts();
    assert.equal(all.length, 2);
    assert.match(all[1] ?? "", /^Over: Pump 2 has stopped\. Quiet since \d\d:\d\d, alarms in all: 100\.$/);
  },
};
