import assert from "node:assert/strict";
import { waitFor } from "../../support/wait-for";
import type { ExampleCheck, ExampleRun } from "../../support/node-red/example-run";

/** Presses a button; gives the text that reaches a node. */
async function press(run: ExampleRun, button: string, end: string): Promise<string> {
  await run.press(button);
  const [seen, ...more] = await run.reaching(end);
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
async function reportsOf(run: ExampleRun, button: string, people: number): Promise<readonly string[]> {
  await run.press(button);
  let reports: readonly string[] = [];
  await waitFor(
    () => `reports of ${people} people after ${JSON.stringify(reports)}`,
    async () => {
      reports = (await run.reaching("Report")).map(({ msg }) => String(msg.payload));
      return Object.values(byHeading(reports)).flat().length >= people;
    },
  );
  return reports;
}

/** Deploys it with a short wait, reports in parts, and the list as somebody has changed it. */
async function deployList(run: ExampleRun, change: (text: string) => string = (text) => text): Promise<void> {
  const list = run.example.flows.find(({ id }) => id === run.id("People"));
  await run.deploy({
    People: { template: change(String(list?.template)) },
    "Delivered?": { within: "6 s" },
    "All rows": { timeout: "1" },
  });
}

const ALL =
  "Ada Ben Cleo Dan Eve Finn Gina Hugo Iris Jack Kim Leo Mia Noah Olga Paul Ruth Sam Tina Uma".split(" ");
const without = (...names: string[]): string[] => ALL.filter((name) => !names.includes(name));

/** What the examples that report who got a message must do, by file name. */
export const REPORT_CHECKS: Readonly<Record<string, ExampleCheck>> = {
  "22 - Personal reminders with a report": async (run) => {
    /** Whom the messages went to that came after so many. */
    const recipientsAfter = async (count: number) =>
      (await run.taken())
        .slice(count)
        .map(({ recipients }) => recipients)
        .sort();
    await deployList(run);
    const first = await reportsOf(run, "Remind everybody", 20);
    assert.deepEqual(byHeading(first), {
      Delivered: without("Finn", "Jack", "Olga", "Sam", "Tina"),
      "Not delivered": ["Finn", "Jack"],
      "Not known yet": ["Olga"],
      "Not sent": ["Sam", "Tina"],
    });
    assert.match(first.join("\n"), /- Sam, Tuesday 12:30, 12: .+/, "the row and the reason");
    const sent = await run.taken();
    assert.equal(sent.length, 18);
    assert.ok(
      sent.some(({ content }) => content === "Hello Ada, we expect you on Monday at 09:00. Your practice"),
    );

    await deployList(run, (text) =>
      text.replace("Sam,12,", "Sam,+999 555 000 019,").replace("ask her son", "+999 555 000 020"),
    );
    const corrected = await reportsOf(run, "Remind everybody", 20);
    assert.deepEqual(byHeading(corrected), {
      Delivered: without("Finn", "Jack", "Olga"),
      "Not delivered": ["Finn", "Jack"],
      "Not known yet": ["Olga"],
      "Not sent": [],
    });
    assert.deepEqual(
      await recipientsAfter(18),
      [["999555000019"], ["999555000020"]],
      "only the two with new numbers",
    );

    const again = await reportsOf(run, "Again to those who failed", 2);
    assert.deepEqual(byHeading(again)["Not delivered"], ["Finn", "Jack"]);
    assert.deepEqual(await recipientsAfter(20), [["999030101"], ["999030103"]], "only those who failed");
    await press(run, "Again to those who failed", "Report");
    assert.equal((await run.taken()).length, 22, "nobody a third time");
  },

  "23 - Did this person get it": async (run) => {
    const ask = (button: string): Promise<string> => press(run, button, "Answer");
    assert.equal(await ask("Nobody?"), "No message to +999 555 000 077 in the last 7 days.");
    await run.press("Send to three people");
    await run.reaching("Accepted");
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
