import assert from "node:assert/strict";
import type { QueueView } from "../../../lib/shared/history/history";
import type { Example } from "../../support/examples";
import type { Flows, RecordedMessage } from "../../support/node-red/admin-client";
import { waitFor } from "../../support/wait-for";
import type { ExampleCheck, ExampleRun } from "../../support/node-red/example-run";

const HOUR = 3_600_000;

/** Hours of the account that begin in two hours, whatever time it is. */
function closedNow(): Record<string, string> {
  const timeIn = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString().slice(11, 16);
  return { sendingFrom: timeIn(2), sendingTo: timeIn(3), sendingBy: "account", timeZone: "UTC" };
}

/** The flows of an example on another day. @param moment an expression of moment.js */
function onAnotherDay(example: Example, moment: string): Flows {
  const text = JSON.stringify(example.flows);
  const changed = text.replaceAll("$moment()", moment);
  assert.notEqual(changed, text, "the example asks for the day");
  return JSON.parse(changed);
}

/** What the simulator took, as recipients and text; messages of one request in the order of their numbers. */
async function taken(run: ExampleRun): Promise<(readonly string[])[]> {
  return (await run.taken()).map(({ recipients, content }) => [...recipients].sort().concat(content));
}

const statusesOf = (messages: readonly RecordedMessage[]): string[] =>
  messages.map(({ msg }) => msg.result.statusName).sort();

const ADA = "999555000001";
const GRACE = "999555000002";
const ALAN = "999555000003";
const BEN = "999560007";

/** What the examples with delivery rules must do, by file name. */
export const RULE_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "16 - Newsletter that honours STOP and sending hours": async (run) => {
    const { nodeRed } = run;
    /** Presses a button; gives the report and the results that are shown as held back. */
    const press = async (issue: number, heldBack: number) => {
      await run.press(`Send issue ${issue}`);
      const [report, ...more] = await run.reaching("Report");
      assert.deepEqual(more, []);
      const held = heldBack === 0 ? [] : await run.reaching("Held back", heldBack);
      return { report: report?.msg.payload, held };
    };
    /** An issue as these readers get it, in the order of the numbers. */
    const issueFor = (issue: number, ...readers: (readonly [number: string, name: string])[]): string[][] => {
      const props = run.example.flows.find(({ name }) => name === `Send issue ${issue}`)?.props;
      const text = (props as { p: string; v: string }[]).find(({ p }) => p === "text")?.v;
      return readers.map(([number, name]) => [
        number,
        `Hello ${name}! ${text} To end these news, answer STOP.`,
      ]);
    };
    const newsletters = async () =>
      (await taken(run)).filter(([, text]) => `${text}`.startsWith("Hello ")).sort();
    const three = [
      [ADA, "Ada"],
      [GRACE, "Grace"],
      [ALAN, "Alan"],
    ] as const;

    const first = await press(1, 0);
    assert.deepEqual(first.report, { issue: 1, sent: 4, notSent: {}, simulated: true });
    const [confirmed] = await run.reaching("Confirmed");
    assert.deepEqual(confirmed?.msg.event.optOut, { change: "stop", scope: "advertisement", number: BEN });
    const sent = issueFor(1, ...three, [BEN, "Ben"]);
    assert.deepEqual(await newsletters(), sent);
    const goodbye = "You get no more garden news. To get them again, write START.";
    const said = (await taken(run)).filter(([, text]) => text === goodbye);
    assert.deepEqual(said, [[BEN, goodbye]], "one confirmation, to the one who wrote");
    await run.press("Show the list");
    const [listed] = await run.reaching("On the list");
    const rows: readonly { number: string; scope: string; source: string }[] = listed?.msg.payload;
    assert.deepEqual(
      rows.map(({ number, scope, source }) => [number, scope, source]),
      [[`+${BEN}`, "advertisement", "inbound"]],
    );

    const second = await press(2, 1);
    assert.deepEqual(second.report, { issue: 2, sent: 3, notSent: { OPTED_OUT: 1 }, simulated: true });
    assert.deepEqual(
      second.held.map(({ msg: { result } }) => [result.outcome, result.statusName, result.recipients]),
      [["rejected", "OPTED_OUT", [BEN]]],
    );

    const again = await press(1, 4);
    const heldBack = { ALREADY_SENT: 3, OPTED_OUT: 1 };
    assert.deepEqual(again.report, { issue: 1, sent: 0, notSent: heldBack, simulated: true });
    assert.deepEqual(statusesOf(again.held), ["ALREADY_SENT", "ALREADY_SENT", "ALREADY_SENT", "OPTED_OUT"]);
    sent.push(...issueFor(2, ...three));
    assert.deepEqual(await newsletters(), sent.sort());

    await run.deploy({ "messaging-account": closedNow() });
    await run.press("Send issue 3");
    await waitFor("four messages that leave in more than an hour", async () => {
      const { waiting, nextDue } = (await run.control("queue/look", { after: 0 })) as QueueView;
      return waiting === 4 && (nextDue ?? 0) > HOUR;
    });
    assert.deepEqual(await newsletters(), sent, "an issue waits for the hours");
    await run.deploy();
    const [released] = await run.reaching("Report");
    assert.deepEqual(released?.msg.payload, { ...second.report, issue: 3 });
    sent.push(...issueFor(3, ...three));
    assert.deepEqual(await newsletters(), sent.sort());

    await run.deploy({ "messaging-account": { ...closedNow(), sendingAction: "refuse" } });
    await nodeRed.clearRecording();
    await run.write(BEN, "Start");
    await run.reaching("Confirmed");
    assert.match(`${(await taken(run)).at(-1)}`, /Welcome back!/, "outside the hours as well");
    const refused = await press(2, 4);
    assert.deepEqual(refused.report, { issue: 2, sent: 0, notSent: { OUTSIDE_HOURS: 4 }, simulated: true });

    await run.deploy();
    const late = await press(2, 3);
    assert.deepEqual(late.report, { issue: 2, sent: 1, notSent: { ALREADY_SENT: 3 }, simulated: true });
    sent.push(...issueFor(2, [BEN, "Ben"]));
    assert.deepEqual(await newsletters(), sent.sort(), "who writes START gets it again");
  },

  "17 - Birthday greetings once a year for each person": async (run) => {
    const { nodeRed } = run;
    /** Looks for birthdays; gives those whom the messages that reached a node were meant for. */
    const look = async (node: string, count: number) => {
      await run.press("Look now");
      const seen = await run.reaching(node, count);
      // At nine the flow looks by itself as well.
      const names = [...new Set(seen.map(({ msg }) => msg.payload.name))].sort();
      return { seen, names };
    };
    const greetingOf = (number: string, name: string): string[] => [
      number,
      `Happy birthday, ${name}! All the best from the flower shop at the corner.`,
    ];
    const both = [greetingOf(ADA, "Ada"), greetingOf(ADA, "Byron")];

    assert.deepEqual((await look("Greeted", 2)).names, ["Ada", "Byron"]);
    assert.deepEqual((await taken(run)).sort(), both, "each once, although they share a phone");

    const again = await look("Greeted already", 2);
    assert.deepEqual(again.names, ["Ada", "Byron"]);
    assert.deepEqual([...new Set(statusesOf(again.seen))], ["ALREADY_SENT"]);
    assert.equal((await taken(run)).length, 2, "nobody is greeted twice");

    await nodeRed.deploy(onAnotherDay(run.example, "$moment('2101-02-28')"));
    assert.deepEqual((await look("Greeted", 3)).names, ["Ada", "Byron", "Grace"]);
    assert.deepEqual((await taken(run)).slice(2).sort(), [...both, greetingOf(GRACE, "Grace")]);

    await nodeRed.deploy(onAnotherDay(run.example, "$moment('2104-02-28')"));
    assert.deepEqual((await look("Greeted", 2)).names, ["Ada", "Byron"], "a leap year has 29 February");
    await nodeRed.deploy(onAnotherDay(run.example, "$moment('2104-02-29')"));
    assert.deepEqual((await look("Greeted", 1)).names, ["Grace"]);
  },
};
