import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

/**
 * Reads `docs/contributing/promises.md`. Without words it checks that every guarding test and every mutated place exists. `plant`
 * plants each mutation in a copy of the repository and expects its test to fail; a word after it selects rows that contain it.
 */

const ROOT = join(__dirname, "..");
const PAGE = join(ROOT, "docs", "contributing", "promises.md");
/** ms; a planted bug may make a test wait for something that never comes. */
const LIMIT_MS = 420_000;
const TEST_LIMIT_MS = "60000";

interface Promised {
  readonly promise: string;
  readonly file: string;
  readonly title: string;
  readonly place: string;
  readonly from: string;
  readonly to: string;
}

const GUARD = /^`([^`]+)`: (.+)$/;
const MUTATION = /^`([^`]+)`: (`+) ?(.+?) ?\2 → (?:nothing|(`+) ?(.+?) ?\4)$/;

/** Parses the rows of the page. @throws Error for a row that has another form */
function parsePromises(page: string): readonly Promised[] {
  const rows = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| Promise |"));
  return rows.map((row) => {
    const [promise = "", guard = "", mutation = ""] = row
      .slice(2, -2)
      .split(/ \| /)
      .map((cell) => cell.replaceAll("\\|", "|").trim());
    const [, file = "", title = ""] = GUARD.exec(guard) ?? [];
    const [, place = "", , from = "", , to = ""] = MUTATION.exec(mutation) ?? [];
    if (title === "" || place === "") throw new Error(`a row has another form: ${row}`);
    return { promise, file, title, place, from, to };
  });
}

const read = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

/** Reads a test file with all files under `test` that it imports. */
function readTest(path: string, seen = new Set<string>()): string {
  if (seen.has(path)) return "";
  seen.add(path);
  const text = read(path);
  const imported = [...text.matchAll(/from "(\.[^"]+)"/g)]
    .map(([, name = ""]) => `${join(dirname(path), name)}.ts`)
    .filter((name) => relative(ROOT, name).startsWith("test"));
  return [text, ...imported.map((name) => readTest(name, seen))].join("\n");
}

/** @returns what is wrong with a row; null where it is right */
function validate({ file, title, place, from }: Promised): string | null {
  const test = readTest(join(ROOT, file));
  if (!new RegExp(`\\b(?:it|itOnBoth)\\(\\s*["'\`]${escapePattern(title)}["'\`]`).test(test)) {
    return `${file} has no test "${title}"`;
  }
  const count = read(join(ROOT, place)).split(from).length - 1;
  return count === 1 ? null : `${place} has ${count} times: ${from}`;
}

const escapePattern = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");

/** Copies the repository without its history; installed packages are shared. */
function copyRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), "messaging-planted-"));
  const left = new Set(["node_modules", ".git", ".cache", "coverage"]);
  cpSync(ROOT, copy, { recursive: true, filter: (from) => !left.has(relative(ROOT, from)) });
  for (const shared of ["node_modules", ".cache"]) symlinkSync(join(ROOT, shared), join(copy, shared));
  return copy;
}

const run = (folder: string, command: string, ...words: readonly string[]) =>
  spawnSync(command, words, {
    cwd: folder,
    encoding: "utf8",
    timeout: LIMIT_MS,
    killSignal: "SIGKILL",
    env: { ...process.env, TEST_NODE_RED: "4" },
  });

/** Plants one mutation and runs its test. @returns why it counts as not caught; null where the test failed */
function plant(folder: string, { file, title, place, from, to }: Promised): string | null {
  const path = join(folder, place);
  const source = readFileSync(path, "utf8");
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  try {
    if (/^test\/(?:browser|e2e|chaos)\//.test(file)) {
      const built = run(folder, "npm", "run", "build");
      if (built.status !== 0) return `does not build: ${built.stderr.slice(-500)}`;
    }
    const { stdout } = run(folder, "npx", "mocha", "--timeout", TEST_LIMIT_MS, "--fgrep", title, file);
    const [, failing = "0"] = /(\d+) failing/.exec(stdout) ?? [];
    return Number(failing) > 0 ? null : `not caught: ${stdout.trim().split("\n").at(-1) ?? ""}`;
  } finally {
    writeFileSync(path, source);
  }
}

function main([action, ...words]: readonly string[]): number {
  const rows = parsePromises(readFileSync(PAGE, "utf8"));
  const wrong = rows.map(validate).filter((fault) => fault !== null);
  for (const fault of wrong) console.error(fault);
  if (wrong.length > 0 || action !== "plant") return wrong.length > 0 ? 1 : 0;
  const wanted = rows.filter((row) => words.every((word) => JSON.stringify(row).includes(word)));
  const folder = copyRepository();
  let missed = 0;
  try {
    for (const row of wanted) {
      const fault = plant(folder, row);
      if (fault !== null) missed++;
      console.log(`${fault === null ? "caught" : "MISSED"}  ${row.promise}${fault ? `: ${fault}` : ""}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${wanted.length - missed} caught, ${missed} missed`);
  return missed === 0 && wanted.length > 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
