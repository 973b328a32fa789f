import assert from "node:assert/strict";
import { restart } from "../../support/node-red/restart";
import { waitFor } from "../../support/wait-for";
import type { ExampleCheck } from "../../support/node-red/example-run";

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

/** What the example that asks people on duty must do, by file name. */
export const ON_CALL_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "20 - On-call escalation": async (run) => {
    const { simulator, account } = run;
    const deploy = (first: string, second: string, ...people: readonly Person[]) =>
      run.deploy({
        "Reply to the SMS?": { within: first },
        "Reply after the call?": { within: second },
        ...(people.length > 0 && { "On duty": { template: JSON.stringify(people) } }),
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

    // One says no, one is silent twice, and the third says yes.
    await deploy("6s", "1s");
    await press();
    await run.reaching("Taken");
    assert.deepEqual(await ends(), { taken: [takenBy(CLEO)], nobody: 0 });
    assert.deepEqual(await asked(), [sms(BEN), sms(ADA), call(ADA), sms(CLEO)]);
    const [first, , spoken] = await run.taken();
    assert.equal(first?.content, "Pump 2 has stopped. Do you take it? Answer OK or NO.");
    assert.match(spoken?.content ?? "", /^This is an alarm\. Pump 2 has stopped\. /);
    await run.badge("Taken", ({ fill, text }) => fill === "green" && text === "Cleo takes it");

    // The end of the list, after a message that failed at once, and the alarm is over.
    await simulator.reset(account);
    await deploy("6s", "1s", DORA, BEN, ADA);
    await press();
    await run.reaching("Nobody took it");
    assert.deepEqual(await ends(), { taken: [], nobody: 1 });
    assert.deepEqual(await asked(), [sms(BEN), sms(ADA), call(ADA)]);
    const tried = (await run.nodeRed.recording()).messages.filter(
      ({ from }) => from === run.id("Anybody left?"),
    );
    assert.deepEqual(
      tried.map(({ port, msg }) => [port, msg.people.length]),
      [
        [0, 3],
        [0, 2],
        [0, 1],
        [1, 0],
      ],
      "a person less in each round",
    );
    await run.badge("Nobody took it", ({ fill }) => fill === "red");

    // Two alarms wait while Node-RED is killed: one person answers after that, the other one stays silent.
    await simulator.reset(account);
    await deploy("5 min", "5 min", EMIL, CLEO);
    await press();
    await waitingFor(1);
    await deploy("20s", "1s", ADA, CLEO);
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
    assert.deepEqual(await asked(), [call(ADA), sms(CLEO)], "since the restart");
  },
};
