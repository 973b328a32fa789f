import assert from "node:assert/strict";
import type { Example } from "../support/examples";
import type { Flows } from "../support/node-red/admin-client";
import type { Bench } from "../support/node-red/on-each-node-red";
import { waitFor } from "../support/wait-for";
import { reaching } from "../support/node-red/reaching";
import type { ExampleCheck } from "./receiving-examples";

/** Presses a button; gives the text that reaches a node. */
async function press(bench: Bench, example: Example, button: string, end: string): Promise<string> {
  await bench.nodeRed.clearRecording();
  await bench.nodeRed.inject(example.id(button));
  const [seen, ...more] = await reaching(bench, example.id(end));
  assert.deepEqual(more, []);
  return String(seen?.msg.payload);
}

/** The names below each heading of some reports. */
function byHeading(reports: readonly string[]): Record<string, string[]> {
  const names: Record<string, string[]> = {};
  for (const part of reports.flatMap((report) => report.split("\n\n"))) {
    const [heading = "", ...lines] = part.trim().split("\n");
    const key = heading.replace(":", "");
    const here = lines.map((line) => /^- (\w+),/.exec(line)?.[1] ?? line);
    names[key] = [...(names[key] ?? []), ...here].sort();
  }
  return names;
}

/** Presses a button; gives the reports of so many people. They come in parts. */
async function reportsOf(
  bench: Bench,
  example: Example,
  button: string,
  people: number,
): Promise<readonly string[]> {
  await bench.nodeRed.clearRecording();
  await bench.nodeRed.inject(example.id(button));
  let reports: readonly string[] = [];
  await waitFor(
    () => `reports of ${people} people after ${JSON.stringify(reports)}`,
    async () => {
      reports = (await reaching(bench, example.id("Report"))).map(({ msg }) => String(msg.payload));
      return Object.values(byHeading(reports)).flat().length >= people;
    },
  );
  return reports;
}

/** The flows with a short wait, reports in parts, and the list as somebody has changed it. */
const withList = (example: Example, change: (text: string) => string = (text) => text): Flows =>
  example.flows.map((node) =>
    node.id === example.id("People")
      ? { ...node, template: change(String(node.template)) }
      : node.id === example.id("Delivered?")
        ? { ...node, within: "6 s" }
        : node.id === example.id("All rows")
          ? { ...node, timeout: "1" }
          : node,
  );

const ALL =
  "Ada Ben Cleo Dan Eve Finn Gina Hugo Iris Jack Kim Leo Mia Noah Olga Paul Ruth Sam Tina Uma".split(" ");
const without = (...names: string[]): string[] => ALL.filter((name) => !names.includes(name));

/** What the examples that report who got a message must do, by file name. */
export const REPORT_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "22 - Personal reminders with a report": async (bench, example) => {
    const { nodeRed, simulator } = bench;
    const taken = async () => simulator.messages(example.id("messaging-account"));
    await nodeRed.deploy(withList(example));
    const first = await reportsOf(bench, example, "Remind everybody", 20);
    assert.deepEqual(byHeading(first), {
      Delivered: without("Finn", "Jack", "Olga", "Sam", "Tina"),
      "Not delivered": ["Finn", "Jack"],
      "Not known yet": ["Olga"],
      "Not sent": ["Sam", "Tina"],
    });
    assert.match(first.join("\n"), /- Sam, Tuesday 12:30, 12: .+/, "the row and the reason");
    const sent = await taken();
    assert.equal(sent.length, 18);
    assert.ok(
      sent.some(({ content }) => content === "Hello Ada, we expect you on Monday at 09:00. Your practice"),
    );

    await nodeRed.deploy(
      withList(example, (text) =>
        text.replace("Sam,12,", "Sam,+999 555 000 019,").replace("ask her son", "+999 555 000 020"),
      ),
    );
    const corrected = await reportsOf(bench, example, "Remind everybody", 20);
    assert.deepEqual(byHeading(corrected), {
      Delivered: without("Finn", "Jack", "Olga"),
      "Not delivered": ["Finn", "Jack"],
      "Not known yet": ["Olga"],
      "Not sent": [],
    });
    assert.deepEqual(
      (await taken())
        .slice(18)
        .map(({ recipients }) => recipients)
        .sort(),
      [["999555000019"], ["999555000020"]],
      "only the two with new numbers",
    );

    const again = await reportsOf(bench, example, "Again to those who failed", 2);
    assert.deepEqual(byHeading(again)["Not delivered"], ["Finn", "Jack"]);
    assert.deepEqual(
      (await taken())
        .slice(20)
        .map(({ recipients }) => recipients)
        .sort(),
      [["999030101"], ["999030103"]],
      "only those who failed",
    );
    await press(bench, example, "Again to those who failed", "Report");
    assert.equal((await taken()).length, 22, "nobody a third time");
  },

  "23 - Did this person get it": async (bench, example) => {
    const ask = (button: string): Promise<string> => press(bench, example, button, "Answer");
    assert.equal(await ask("Nobody?"), "No message to +999 555 000 077 in the last 7 days.");
    await bench.nodeRed.clearRecording();
    await bench.nodeRed.inject(example.id("Send to three people"));
    await reaching(bench, example.id("Accepted"));
    const time = "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z";
    const until = async (button: string, sentence: RegExp): Promise<void> => {
      let said = "";
      await waitFor(
        () => `${sentence} where it said ${said}`,
        async () => {
          said = await ask(button);
          return sentence.test(said);
        },
      );
    };
    await until(
      "Ada?",
      new RegExp(`^Yes: \\+999555000001 got the message of ${time}\\. It arrived at ${time}\\.$`),
    );
    await until(
      "Finn?",
      new RegExp(
        `^No: the message of ${time} to \\+999030101 did not arrive\\. The service says: expired\\.$`,
      ),
    );
  },
};
