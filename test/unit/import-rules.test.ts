import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const ROOT = resolve(__dirname, "../..");

/** One import statement per line, and whether the linters must refuse it in a file at this path. */
const CASES: Readonly<
  Record<string, { readonly refused: readonly string[]; readonly allowed: readonly string[] }>
> = {
  "lib/shared/probe.ts": {
    refused: [
      'import { a } from "../gateway/settings"; a;',
      'import { a } from "./../gateway/settings"; a;',
      'import { a } from "../../lib/gateway/contract/settings"; a;',
      'import type { a } from "../runtime/x"; export type b = a;',
      'export * from "../webhook/x";',
      'void import("../editor/x");',
      'import { readFileSync } from "node:fs"; readFileSync;',
      'import { readFileSync } from "fs"; readFileSync;',
      'import type { Node } from "node-red"; export type b = Node;',
      'import { z } from "zod"; z;',
      'const a = require("../gateway/settings"); a;',
      'export type a = import("node-red").Node;',
      '/// <reference types="node-red" />',
    ],
    allowed: ['import { a } from "./limits"; a;', 'import a from "libphonenumber-js/max"; a;'],
  },
  "lib/gateway/probe.ts": {
    refused: [
      'import { a } from "../runtime/x"; a;',
      'import { a } from "../webhook/x"; a;',
      'import { a } from "../../lib/runtime/x"; a;',
      'import { a } from "../../nodes/sms-send/sms-send"; a;',
      'import { a } from "../../simulator/endpoints/codes"; a;',
      'import type { Node } from "node-red"; export type b = Node;',
      'import type { Node } from "@node-red/registry"; export type b = Node;',
    ],
    allowed: [
      'import { a } from "../shared/limits"; a;',
      'import { a } from "./settings"; a;',
      'import { Pool } from "undici"; Pool;',
      'import { readFile } from "node:fs/promises"; readFile;',
    ],
  },
  "lib/webhook/probe.ts": {
    refused: [
      'import { a } from "../gateway/settings"; a;',
      'import { a } from "../runtime/x"; a;',
      'import type { Node } from "node-red"; export type b = Node;',
    ],
    allowed: [
      'import { a } from "../shared/limits"; a;',
      'import { createServer } from "node:http"; createServer;',
    ],
  },
  "lib/runtime/probe.ts": {
    refused: [
      'import { a } from "../editor/x"; a;',
      'import { a } from "../../nodes/sms-send/sms-send"; a;',
      'import { a } from "../../simulator/built-in"; a;',
    ],
    allowed: [
      'import { a } from "../gateway/settings"; a;',
      'import { a } from "../webhook/x"; a;',
      'import { a } from "../shared/limits"; a;',
      'import type { Node } from "node-red"; export type b = Node;',
    ],
  },
  "lib/editor/probe.ts": {
    refused: [
      'import { a } from "../runtime/x"; a;',
      'import { a } from "../gateway/settings"; a;',
      'import { a } from "node:fs"; a;',
    ],
    allowed: ['import { a } from "../shared/limits"; a;', 'import { a } from "./x"; a;'],
  },
  "lib/editor/activity/probe.ts": {
    refused: [
      'import { a } from "../../runtime/x"; a;',
      'import { a } from "../../gateway/settings"; a;',
      'import { a } from "../../../simulator/codes"; a;',
      'import { a } from "node:fs"; a;',
    ],
    allowed: [
      'import { a } from "../../shared/limits"; a;',
      'import { a } from "../texts"; a;',
      'import { a } from "./x"; a;',
    ],
  },
  "lib/editor/rcs/probe.ts": {
    refused: [
      'import { a } from "../../runtime/x"; a;',
      'import { a } from "../../gateway/settings"; a;',
      'import { a } from "../activity/x"; a;',
    ],
    allowed: [
      'import { a } from "../../shared/limits"; a;',
      'import { a } from "../x"; a;',
      'import { a } from "./x"; a;',
    ],
  },
  "plugins/messaging-activity/probe.editor.ts": {
    refused: [
      'import { a } from "../../lib/runtime/x"; a;',
      'import { a } from "../../nodes/sms-send/sms-send.editor"; a;',
      'import { a } from "../../simulator/endpoints/codes"; a;',
      'import { a } from "node:fs"; a;',
    ],
    allowed: [
      'import { a } from "../../lib/editor/activity/x"; a;',
      'import { a } from "../../lib/editor/x"; a;',
      'import { a } from "../../lib/shared/fields/limits"; a;',
    ],
  },
  "nodes/sms-send/probe.ts": {
    refused: [
      'import { a } from "../config/messaging-account"; a;',
      'import { a } from "../../nodes/config/messaging-account"; a;',
      'import { a } from "../../simulator/built-in"; a;',
      'void import("../../simulator/built-in.js");',
      'import { a } from "../../lib/editor/x"; a;',
      'import { a } from "./sms-send.editor"; a;',
    ],
    allowed: [
      'import { a } from "../../lib/runtime/x"; a;',
      'import { a } from "../../lib/shared/fields/sms-fields"; a;',
      'import type { NodeAPI } from "node-red"; export type b = NodeAPI;',
    ],
  },
  "nodes/config/probe.ts": {
    refused: [
      'import { a } from "../../simulator/endpoints/codes"; a;',
      'void import("../../simulator/endpoints/codes");',
      'import { a } from "../sms-send/sms-send"; a;',
    ],
    allowed: ['void import("../../simulator/built-in.js");', 'import { a } from "../../lib/runtime/x"; a;'],
  },
  "nodes/sms-send/probe.editor.ts": {
    refused: [
      'import { a } from "../../lib/runtime/x"; a;',
      'import { a } from "../../lib/gateway/contract/settings"; a;',
      'import { a } from "../config/messaging-account.editor"; a;',
      'import { a } from "./sms-send"; a;',
      'import { a } from "node:fs"; a;',
    ],
    allowed: [
      'import { a } from "../../lib/editor/x"; a;',
      'import { a } from "../../lib/shared/fields/sms-fields"; a;',
    ],
  },
  "simulator/probe.ts": {
    refused: [
      'import { a } from "../lib/shared/limits"; a;',
      'import { a } from "../nodes/sms-send/sms-send"; a;',
      'import { z } from "zod"; z;',
      'import { a } from "undici"; a;',
    ],
    allowed: ['import { a } from "./codes"; a;', 'import { createServer } from "node:http"; createServer;'],
  },
};

/** Lints these files in a folder that has this project's settings and nothing else; gives those with a refused import. */
function lint(files: ReadonlyMap<string, string>): Set<string> {
  const folder = mkdtempSync(join(tmpdir(), "import-rules-"));
  try {
    for (const name of ["biome.json", ".oxlintrc.json", ".gitignore", "tsconfig.json"]) {
      copyFileSync(join(ROOT, name), join(folder, name));
    }
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${text}\n`);
    }
    return new Set([...biome(folder), ...oxlint(folder)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const IMPORT_RULES =
  /noRestrictedImports|no-restricted-imports|no-require-imports|triple-slash-reference|consistent-type-imports/;

function biome(folder: string): string[] {
  const report = run(folder, "@biomejs/biome/bin/biome", [
    "lint",
    "--reporter=json",
    "--max-diagnostics=none",
    ".",
  ]);
  const { diagnostics } = JSON.parse(report) as {
    diagnostics: { category: string; severity: string; location: { path: string | { file: string } } }[];
  };
  return diagnostics
    .filter(({ category, severity }) => severity === "error" && IMPORT_RULES.test(category))
    .map(({ location: { path } }) => (typeof path === "string" ? path : path.file));
}

function oxlint(folder: string): string[] {
  const report = run(folder, "oxlint/bin/oxlint", ["--format=json"]);
  const { diagnostics } = JSON.parse(report) as {
    diagnostics: { code: string; severity: string; filename: string }[];
  };
  return diagnostics
    .filter(({ code, severity }) => severity === "error" && IMPORT_RULES.test(code))
    .map(({ filename }) => filename);
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

describe("import directions", () => {
  const statements = Object.entries(CASES).flatMap(([path, { refused, allowed }]) =>
    [
      ...refused.map((text) => ({ path, text, ok: false })),
      ...allowed.map((text) => ({ path, text, ok: true })),
    ].map(
      // A file of its own for each statement, so that one resultLine cannot stand for another.
      (each, index) => ({ ...each, file: path.replace("probe", `probe-${index}`) }),
    ),
  );
  let found: ReadonlySet<string>;

  before(function () {
    this.timeout(60_000);
    found = lint(new Map(statements.map(({ file, text }) => [file, text])));
  });

  for (const { path, text, ok, file } of statements) {
    it(`${path} ${ok ? "may say" : "must not say"}: ${text}`, () => {
      assert.equal(found.has(file), !ok);
    });
  }

  it("nodes/config loads the simulator only once an account asks for it", () => {
    const probe = `
      require("./nodes/config/messaging-account.ts");
      console.log(JSON.stringify(Object.keys(require.cache)));
    `;
    const { stdout, stderr } = spawnSync(process.execPath, ["--require", "tsx/cjs", "--eval", probe], {
      cwd: ROOT,
      encoding: "utf8",
    });
    assert.match(stdout, /messaging-account/, stderr.slice(-2000));
    const loaded = (JSON.parse(stdout) as string[]).filter((file) =>
      file.startsWith(join(ROOT, "simulator")),
    );
    assert.deepEqual(loaded, []);
  }).timeout(30_000);
});
