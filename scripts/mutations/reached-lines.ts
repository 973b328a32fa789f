import { writeFileSync } from "node:fs";
import { type Profiler, Session } from "node:inspector";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type MochaOptions, reporters, type Runner, type Suite } from "mocha";

/**
 * For each test file the ranges of compiled code that it ran through, by file of `lib`: `[start, end, count]`, outer before inner.
 * One that failed by itself says nothing about a change.
 */
export type Reached = Record<
  string,
  { ms: number; failed?: true; files: Record<string, (readonly [number, number, number])[]> }
>;

/** A reporter of mocha that writes what each test file reached, as JSON into the file that `REACHED` names. */
export default class ReachedLines extends reporters.Base {
  constructor(runner: Runner, options: MochaOptions) {
    super(runner, options);
    const reached: Reached = {};
    const session = new Session();
    session.connect();
    session.post("Profiler.enable");
    session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    const take = (): Profiler.ScriptCoverage[] => {
      let found: Profiler.ScriptCoverage[] = [];
      session.post("Profiler.takePreciseCoverage", (_error, { result }) => {
        found = result;
      });
      return found;
    };
    const isTopmost = ({ parent }: Suite): boolean => parent?.root === true;
    let start = 0;
    runner.on("fail", ({ file = "" }) => {
      const test = relative(process.cwd(), file);
      reached[test] = { ms: 0, files: {}, ...reached[test], failed: true };
    });
    runner.on("suite", (suite) => {
      if (!isTopmost(suite)) return;
      take();
      start = performance.now();
    });
    runner.on("suite end", (suite) => {
      if (!isTopmost(suite)) return;
      const test = relative(process.cwd(), suite.file ?? "");
      reached[test] ??= { ms: 0, files: {} };
      const of = reached[test];
      of.ms += performance.now() - start;
      for (const { url, functions } of take()) {
        if (!url.includes("/lib/")) continue;
        const file = relative(process.cwd(), url.startsWith("file:") ? fileURLToPath(url) : url);
        if (!file.startsWith("lib/")) continue;
        const ranges = functions.flatMap(({ ranges }) =>
          ranges.map(({ startOffset, endOffset, count }) => [startOffset, endOffset, count] as const),
        );
        if (ranges.some(([, , count]) => count > 0)) of.files[file] = [...(of.files[file] ?? []), ...ranges];
      }
    });
    runner.once("end", () => {
      this.epilogue();
      writeFileSync(process.env.REACHED ?? "reached.json", JSON.stringify(reached));
    });
  }
}
