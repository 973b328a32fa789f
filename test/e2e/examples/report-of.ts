import type { ExampleRun } from "../../support/node-red/example-run";
import { waitFor } from "../../support/wait-for";

/** Names below each heading of some reports. */
function byHeading(reports: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const names: Record<string, string[]> = {};
  for (const part of reports.flatMap((report) => report.split("\n\n"))) {
    const [heading = "", ...lines] = part.trim().split("\n");
    const key = heading.replace(":", "");
    const here = lines.map((line) => /^- (\w+),/.exec(line)?.[1] ?? line);
    names[key] = [...(names[key] ?? []), ...here].sort();
  }
  return names;
}

/** Presses a button of example 22 and waits for reports of so many people, which come in parts. */
export async function reportOf(run: ExampleRun, button: string, people: number) {
  await run.press(button);
  return waitFor(`reports of ${people} people`, async () => {
    const reports = byHeading((await run.seenAt("Report")).map(({ msg }) => String(msg.payload)));
    return Object.values(reports).flat().length >= people && reports;
  });
}
