import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { CASES, type Cases, CIRCLE_OF_ROOMS, CIRCLES, ROOM_CASES } from "./import-rules-cases";

const ROOT = resolve(__dirname, "../..");

/** Rules that a file breaks, by its path. */
type Findings = ReadonlyMap<string, readonly string[]>;

/**
 * Checks these files in a folder that has this project's settings and nothing else. What they import by a relative
 * path exists there as well, so that no import is refused merely because it leads nowhere.
 */
function check(files: ReadonlyMap<string, string>): Findings {
  const folder = mkdtempSync(join(tmpdir(), "import-rules-"));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text}\n`);
  };
  try {
    for (const name of SETTINGS) {
      copyFileSync(join(ROOT, name), join(folder, name));
    }
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
    for (const [path, text] of files) {
      write(join(folder, path), text);
    }
    for (const [path, text] of files) {
      for (const [, target = ""] of text.matchAll(/["`](\.[^"`]*)["`]/g)) {
        const file = resolve(dirname(join(folder, path)), target).replace(/(\.[jt]s)?$/, ".ts");
        if (!existsSync(file)) {
          write(file, "export const a = 1; export type b = number;");
        }
      }
    }
    const found = new Map<string, string[]>();
    for (const [path, rule] of [...dependencyCruiser(folder), ...oxlint(folder), ...biome(folder)]) {
      found.set(path, [...(found.get(path) ?? []), rule]);
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const SETTINGS = [".dependency-cruiser.mjs", ".oxlintrc.json", "biome.json", ".gitignore", "tsconfig.json"];

/** Rules of the linters that close gaps of the import rules: those see no `import("x").T` and no `/// <reference>`. */
const IMPORT_RULES = /no-require-imports|triple-slash-reference|consistent-type-imports/;

/** Path of a file and the rule that it breaks. */
type Finding = readonly [path: string, rule: string];

function dependencyCruiser(folder: string): Finding[] {
  const report = run(folder, "dependency-cruiser/bin/dependency-cruise.mjs", [
    ...["lib", "nodes", "plugins", "simulator"],
    "--output-type=json",
  ]);
  const { modules, summary } = JSON.parse(report) as {
    modules: { source: string; dependencies: { module: string; couldNotResolve: boolean }[] }[];
    summary: { violations: { from: string; rule: { name: string; severity: string } }[] };
  };
  const lost = modules.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ couldNotResolve }) => couldNotResolve)
      .map(({ module }) => `${source} -> ${module}`),
  );
  assert.deepEqual(lost, [], "imports that lead nowhere prove nothing");
  return summary.violations
    .filter(({ rule }) => rule.severity === "error")
    .map(({ from, rule }) => [from, rule.name]);
}

function oxlint(folder: string): Finding[] {
  const report = run(folder, "oxlint/bin/oxlint", ["--format=json"]);
  const { diagnostics } = JSON.parse(report) as {
    diagnostics: { code: string; severity: string; filename: string }[];
  };
  return diagnostics
    .filter(({ code, severity }) => severity === "error" && IMPORT_RULES.test(code))
    .map(({ code, filename }) => [relative(folder, resolve(folder, filename)), code]);
}

function biome(folder: string): Finding[] {
  const report = run(folder, "@biomejs/biome/bin/biome", [
    "lint",
    "--only=style/useNodejsImportProtocol",
    "--reporter=json",
    "--max-diagnostics=none",
    ".",
  ]);
  const { diagnostics } = JSON.parse(report) as {
    diagnostics: { category: string; severity: string; location: { path: string | { file: string } } }[];
  };
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ category, location: { path } }) => [typeof path === "string" ? path : path.file, category]);
}

function run(cwd: string, script: string, parameters: readonly string[]): string {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, "node_modules", script), ...parameters],
    {
      cwd,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  assert.match(stdout, /^\s*\{/, `${script} gave no report: ${stderr}`);
  return stdout;
}

interface Statement {
  /** Where the statement stands; each has its own file, so that no finding stands for another. */
  readonly file: string;
  readonly text: string;
  readonly ok: boolean;
}

/** The statements of one file, each in a file beside it. */
const statementsOf = (path: string, { refused, allowed }: Cases): Statement[] =>
  [...refused, ...allowed].map((text, index) => ({
    file: path.replace("probe", `probe-${index}`),
    text: text.includes(" ") ? text : `import { a } from "${text}"; a;`,
    ok: index >= refused.length,
  }));

/** The statements of one line of ROOM_CASES. */
function roomStatements(layer: string, line: string): Statement[] {
  const [, room = "", refused = "", allowed = ""] = /^(\S+): *(.*?) *\| *(.*)$/.exec(line) ?? [];
  assert.notEqual(room, "", line);
  const imports = (rooms: string): string[] =>
    rooms
      .split(" ")
      .filter((each) => each !== "")
      .map((each) => {
        const path = relative(join(layer, room), join(layer, each, "target"));
        return path.startsWith(".") ? path : `./${path}`;
      });
  return statementsOf(join(layer, room, "room-probe.ts"), {
    refused: imports(refused),
    allowed: imports(allowed),
  });
}

describe("import directions", () => {
  const statements = [
    ...Object.entries(CASES).flatMap(([path, cases]) => statementsOf(path, cases)),
    ...Object.entries(ROOM_CASES).flatMap(([layer, lines]) =>
      lines.flatMap((line) => roomStatements(layer, line)),
    ),
  ];
  let found: Findings;

  before(() => {
    found = check(
      new Map([
        ...statements.map(({ file, text }) => [file, text] as const),
        ...Object.values(CIRCLES).flatMap((files) => Object.entries(files)),
        ...Object.entries(CIRCLE_OF_ROOMS),
      ]),
    );
  });

  for (const { file, text, ok } of statements) {
    it(`${file} ${ok ? "may say" : "must not say"}: ${text}`, () => {
      assert.equal(found.has(file), !ok, found.get(file)?.join());
    });
  }

  for (const [layer, lines] of Object.entries(ROOM_CASES)) {
    it(`each room of ${layer} is planted with imports here`, () => {
      const rooms = new Set(lines.map((line) => line.split(":")[0] ?? ""));
      const unplanted = readdirSync(join(ROOT, layer), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .map((file) => dirname(file).split(sep)[0] ?? "")
        .filter((room) => !rooms.has(room));
      assert.deepEqual(unplanted, []);
    });
  }

  for (const [name, files] of Object.entries(CIRCLES)) {
    it(`refuses a circle ${name}`, () => {
      const circular = Object.keys(files).filter((file) => found.get(file)?.includes("no-circle"));
      assert.ok(circular.length > 0, JSON.stringify(Object.keys(files).map((file) => found.get(file))));
    });
  }

  it("refuses a circle of rooms where no files form one", () => {
    const rules = Object.keys(CIRCLE_OF_ROOMS).flatMap((file) => found.get(file) ?? []);
    assert.deepEqual(rules, ["lib/gateway/http"]);
  });

  it("nodes/config loads the simulator only once an account asks for it", () => {
    const probe = `
      require("./nodes/config/messaging-account.ts");
      console.log(JSON.stringify(Object.keys(require.cache)));
    `;
    const { stdout, stderr } = spawnSync(process.execPath, [...process.execArgv, "--eval", probe], {
      cwd: ROOT,
      encoding: "utf8",
    });
    assert.match(stdout, /messaging-account/, stderr.slice(-2000));
    const loaded = (JSON.parse(stdout) as string[]).filter((file) =>
      file.startsWith(join(ROOT, "simulator")),
    );
    assert.deepEqual(loaded, []);
  });
});
