import assert from "node:assert/strict";
import type { Example } from "../support/examples";
import type { Flows } from "../support/node-red/admin-client";
import type { Bench } from "../support/node-red/on-each-node-red";
import { reaching } from "../support/node-red/reaching";
import { restart } from "../support/node-red/restart";
import { waitFor } from "../support/wait-for";
import type { ExampleCheck } from "./receiving-examples";

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

const write = ({ nodeRed }: Bench, example: Example, { phone }: Person, text: string): Promise<unknown> =>
  nodeRed.request("POST", `/messaging-account/${example.id("messaging-account")}/simulator/write`, {
    channel: "sms",
    sender: phone,
    text,
  });

/** What the example that asks people on duty must do, by file name. */
export const ON_CALL_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "20 - On-call escalation": async (bench, example) => {
    const { nodeRed, simulator, statuses } = bench;
    const within = (first: string, second: string, ...people: readonly Person[]): Flows =>
      example.with({
        "Reply to the SMS?": { within: first },
        "Reply after the call?": { within: second },
        ...(people.length > 0 && { "On duty": { template: JSON.stringify(people) } }),
      });
    const press = () => nodeRed.inject(example.id("Pump 2 stops"));
    /** Who got what since the simulator was started or reset. */
    const asked = async (): Promise<string[]> =>
      (await simulator.messages(example.id("messaging-account"))).map(
        ({ recipients: [number], fields }) => `${number} ${fields.messageType === "voice" ? "call" : "SMS"}`,
      );
    const sms = ({ phone }: Person): string => `${phone.slice(1)} SMS`;
    const call = ({ phone }: Person): string => `${phone.slice(1)} call`;
    /** Names of those who took an alarm, and how often nobody did, since the recording began. */
    const ends = async () => {
      const { messages } = await nodeRed.recording();
      const at = (name: string) => messages.filter(({ to }) => to === example.id(name));
      return {
        taken: at("Taken").map(({ msg }) => `${msg.payload}`),
        nobody: at("Nobody took it").length,
      };
    };
    /** By the badge, which counts when the store has it. */
    const waitingFor = (count: number) =>
      statuses.waitFor(example.id("Reply to the SMS?"), ({ text }) => text === `waiting for ${count}`);
    const takenBy = ({ name }: Person): string => `Pump 2 has stopped. ${name} takes it.`;

    // One says no, one is silent twice, and the third says yes.
    await nodeRed.deploy(within("6s", "1s"));
    await nodeRed.clearRecording();
    await press();
    await reaching(bench, example.id("Taken"));
    assert.deepEqual(await ends(), { taken: [takenBy(CLEO)], nobody: 0 });
    assert.deepEqual(await asked(), [sms(BEN), sms(ADA), call(ADA), sms(CLEO)]);
    const [first, , spoken] = await simulator.messages(example.id("messaging-account"));
    assert.equal(first?.content, "Pump 2 has stopped. Do you take it? Answer OK or NO.");
    assert.match(spoken?.content ?? "", /^This is an alarm\. Pump 2 has stopped\. /);
    await statuses.waitFor(
      example.id("Taken"),
      ({ fill, text }) => fill === "green" && text === "Cleo takes it",
    );

    // The end of the list, after a message that failed at once, and the alarm is over.
    await simulator.reset(example.id("messaging-account"));
    await nodeRed.deploy(within("6s", "1s", DORA, BEN, ADA));
    await nodeRed.clearRecording();
    await press();
    await reaching(bench, example.id("Nobody took it"));
    assert.deepEqual(await ends(), { taken: [], nobody: 1 });
    assert.deepEqual(await asked(), [sms(BEN), sms(ADA), call(ADA)]);
    const tried = (await nodeRed.recording()).messages.filter(
      ({ from }) => from === example.id("Anybody left?"),
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
    await statuses.waitFor(example.id("Nobody took it"), ({ fill }) => fill === "red");

    // Two alarms wait while Node-RED is killed: one person answers after that, the other one stays silent.
    await simulator.reset(example.id("messaging-account"));
    await nodeRed.deploy(within("5 min", "5 min", EMIL, CLEO));
    await press();
    await waitingFor(1);
    await nodeRed.deploy(within("20s", "1s", ADA, CLEO));
    await nodeRed.clearRecording();
    await press();
    await waitingFor(2);
    assert.deepEqual(await asked(), [sms(EMIL), sms(ADA)]);
    await restart(bench, "kill");
    await write(bench, example, EMIL, "Which pump?");
    const [other] = await reaching(bench, example.id("Wrote something else"));
    assert.deepEqual([other?.msg.person, other?.msg.wait.text], [EMIL, "Which pump?"]);
    assert.ok(!(await ends()).taken.includes(takenBy(EMIL)), "the time runs on");
    await write(bench, example, EMIL, "ok!");
    await waitFor("both alarms to be taken", async () => (await ends()).taken.length === 2);
    const { taken, nobody } = await ends();
    assert.deepEqual([taken.sort(), nobody], [[takenBy(CLEO), takenBy(EMIL)], 0]);
    assert.deepEqual(await asked(), [call(ADA), sms(CLEO)], "since the restart");
  },
};
