import { spawnSync } from "node:child_process";
import { existsSync, realpathSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { transformSync } from "esbuild";
import { mutantsOf, mutated, type Mutant } from "./mutations/mutants-of";
import type { Reached } from "./mutations/reached-lines";

/**
 * Changes lib in one small place at a time, and says whether a test fails: those of test/unit and test/node that go through
 * that place, until the first one fails. Works in the folder from which it is called, and changes its files meanwhile: call it in
 * a copy of the repository.
 *
 *   mutations.ts reach REACHED        which test file goes through which place of lib
 *   mutations.ts plan PLAN [COMMIT]   chooses the mutants, of files that are as in COMMIT where it is named
 *   mutations.ts run PLAN REACHED OUT [BEFORE]   tries each; goes on with an OUT that is there; BEFORE: the killers of then first
 */

/** So many are chosen, of all places alike. */
const COUNT = 200;
const SEED = 20_261_123;
/** So many test files are tried for a mutant, the quickest first. */
const MOST = 25;
/** ms that one test file may take; one that a mutant lets wait for ever is ended, and counts as killed. */
const LIMIT_MS = 300_000;
/** The killer of a mutant that is no code. */
const COMPILER = "the compiler";
const HOOK = resolve(__dirname, "typescript.cjs");

interface Planned extends Mutant {
  readonly file: string;
}

interface Tried extends Planned {
  /** The test file that failed; null where none did. */
  readonly killer: string | null;
  /** Test files that were run, and how many go through the place. */
  readonly ran: number;
  readonly reaching: number;
}

const read = <T>(path: string): T => JSON.parse(readFileSync(path, "utf8")) as T;
const write = (path: string, value: unknown): void =>
  writeFileSync(path, `${JSON.stringify(value, null, 1)}\n`);

function plan(out: string, commit = "HEAD"): void {
  const changed = spawnSync("git", ["diff", "--name-only", commit, "--", "lib"], { encoding: "utf8" }).stdout;
  const files = readdirSync("lib", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
    .map((file) => join("lib", file))
    // Dialogs are run by browsers, from a bundle of their own.
    .filter((file) => !file.startsWith("lib/editor/") && !changed.split("\n").includes(file))
    .sort();
  const all: Planned[] = files.flatMap((file) =>
    mutantsOf(readFileSync(file, "utf8")).map((mutant) => ({ file, ...mutant })),
  );
  let state = SEED;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const chosen = new Set<Planned>();
  while (chosen.size < COUNT) {
    const mutant = all[Math.floor(random() * all.length)];
    if (mutant) chosen.add(mutant);
  }
  write(out, [...chosen]);
  console.log(`${chosen.size} of ${all.length}`);
}

const mocha = (more: readonly string[], env: Readonly<Record<string, string>> = {}, timeout?: number) =>
  spawnSync(
    process.execPath,
    [
      "--require",
      HOOK,
      realpathSync(join("node_modules", "mocha", "lib", "cli", "cli.js")),
      "--no-config",
      ...more,
    ],
    {
      env: { ...process.env, ...env },
      encoding: "utf8",
      maxBuffer: 1e9,
      ...(timeout && { timeout, killSignal: "SIGKILL" }),
    },
  );

function reach(out: string): void {
  const reporter = resolve(__dirname, "mutations", "reached-lines.ts");
  const parts = ["unit", "node"].map((folder) => {
    const part = `${resolve(out)}.${folder}`;
    const { stdout, stderr } = mocha(
      [
        "--reporter",
        reporter,
        "--extension",
        "ts",
        "--timeout",
        "180000",
        `test/${folder}/**/*.test.ts`,
        "--exit",
      ],
      { REACHED: part },
    );
    console.log(stdout.slice(-3000), stderr.slice(-2000));
    return read<Reached>(part);
  });
  write(out, Object.assign({}, ...parts));
}

/** As the hook does. */
const compiled = (source: string): string =>
  transformSync(source, { loader: "ts", format: "cjs", platform: "node", target: "node20" }).code;

/** Null for what is no code. */
function compiledOrNull(source: string): string | null {
  try {
    return compiled(source);
  } catch {
    return null;
  }
}

/** Where the change ends in the compiled text: what is before it may differ by imports that are no longer used. */
function placeOf(compiledText: string, changed: string): number {
  let same = 1;
  while (same <= changed.length && compiledText.at(-same) === changed.at(-same)) same++;
  return compiledText.length - same;
}

/** Test files that run through a place of a compiled file, the quickest first. */
function reaching(reached: Reached, file: string, offset: number): string[] {
  return Object.entries(reached)
    .filter(([test, { files, failed }]) => {
      if (failed || !existsSync(test)) return false;
      const around = (files[file] ?? []).filter(([start, end]) => start <= offset && offset < end);
      const smallest = Math.min(...around.map(([start, end]) => end - start));
      return around.some(([start, end, count]) => end - start === smallest && count > 0);
    })
    .sort(([one, { ms }], [other, { ms: otherMs }]) => {
      const own = (test: string) => (basename(test, ".test.ts") === basename(file, ".ts") ? 0 : 1);
      return own(one) - own(other) || ms - otherMs;
    })
    .map(([test]) => test);
}

function run(planPath: string, reachedPath: string, out: string, beforePath?: string): void {
  const reached = read<Reached>(reachedPath);
  const before = beforePath ? read<Tried[]>(beforePath) : [];
  const tried: Tried[] = existsSync(out) ? read<Tried[]>(out) : [];
  for (const [at, mutant] of read<Planned[]>(planPath).entries()) {
    if (at < tried.length) continue;
    const source = readFileSync(mutant.file, "utf8");
    const changed = mutated(source, mutant);
    const changedCode = compiledOrNull(changed);
    if (changedCode === null) {
      tried.push({ ...mutant, killer: COMPILER, ran: 0, reaching: 0 });
      continue;
    }
    const through = reaching(reached, mutant.file, placeOf(compiled(source), changedCode));
    const first = before[at]?.killer;
    const tests = new Set([...(first && existsSync(first) ? [first] : []), ...through.slice(0, MOST)]);
    let killer: string | null = null;
    let ran = 0;
    writeFileSync(mutant.file, changed);
    try {
      for (const test of tests) {
        ran++;
        const { status } = mocha(
          ["--reporter", "dot", "--extension", "ts", "--timeout", "60000", "--bail", "--exit", test],
          {},
          LIMIT_MS,
        );
        if (status === 0) continue;
        killer = test;
        break;
      }
    } finally {
      writeFileSync(mutant.file, source);
    }
    tried.push({ ...mutant, killer, ran, reaching: through.length });
    write(out, tried);
    console.log(
      `${at + 1} ${killer ?? "SURVIVED"} ${mutant.file}:${mutant.line} ${mutant.was} -> ${mutant.text}`,
    );
  }
  const killed = tried.filter(({ killer }) => killer !== null).length;
  console.log(`${killed} of ${tried.length} killed`);
  const lost = tried.filter(({ killer }, at) => killer === null && before[at]?.killer);
  for (const { file, line, was, text } of lost)
    console.log(`killed before: ${file}:${line} ${was} -> ${text}`);
}

const [task, ...paths] = process.argv.slice(2);
if (task === "reach" && paths[0]) reach(paths[0]);
else if (task === "plan" && paths[0]) plan(paths[0], paths[1]);
else if (task === "run" && paths[0] && paths[1] && paths[2]) run(paths[0], paths[1], paths[2], paths[3]);
else {
  console.error("mutations.ts reach REACHED | plan PLAN [COMMIT] | run PLAN REACHED OUT [BEFORE]");
  process.exitCode = 2;
}
