import type { SuiteResult } from "./run-suite";

/** So many files are listed. */
const LISTED = 25;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`.padStart(9);

/** How long each suite and the slowest test files took, longest first, as lines of text. */
export function timesTable(results: readonly SuiteResult[]): string {
  const suites = [...results].sort((one, other) => other.ms - one.ms);
  const files = suites
    .flatMap(({ name, files: times, processor }) =>
      Object.entries(times).map(([file, ms]) => ({
        file: `${file} (${name})`,
        ms,
        used: processor[file] ?? 0,
      })),
    )
    .sort((one, other) => other.ms - one.ms)
    .slice(0, LISTED);
  return [
    "\n== time",
    ...suites.map(
      ({ name, ms, passed, failed }) => `${seconds(ms)}  ${name}: ${passed} passed, ${failed} failed`,
    ),
    "the slowest files",
    ...files.map(({ file, ms, used }) => `${seconds(ms)} ${seconds(used)}  ${file}`),
  ].join("\n");
}
