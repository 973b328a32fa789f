import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { pathsBelow, ROOT } from "../support/locales/locale-files";

/** What makes code of a text, or lets a value choose what is loaded or run. */
const FORBIDDEN: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["eval", /\beval\b/],
  ["Function", /\bFunction\s*\(|\bFunction\.|\bnew\s+Function\b|\.constructor\s*\(/],
  ["vm or a process", /["'`](node:)?(vm|child_process|cluster|inspector|module)["'`]/],
  ["a worker", /\bWorker\b/],
  ["loading by a value", /(?<!\.)\b(require|import)\s*\(\s*(?!"[^"]*"\s*\))/],
  ["createRequire", /\bcreateRequire\b|\bprocess\.(binding|dlopen)\b/],
  ["a timer with a text", /\bset(Timeout|Interval)\s*\(\s*["'`]/],
];

/** Findings that are as they must be. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // The thread of the store: a file of this package, whose path no setting and no message reaches.
  "lib/store/engine/sqlite/sqlite-engine.ts": ["a worker"],
  // The views of the sidebar: a file of this package, whose path is a constant.
  "plugins/messaging-sidebar/messaging-sidebar.editor.ts": ["loading by a value"],
};

/** The code without comments and types, in which every literal is in double quotes or has none at all. */
const bare = (source: string, loader: "ts" | "tsx"): string =>
  transformSync(source, { loader, target: "es2022", legalComments: "none" }).code;

/** A method of this name is no call of the loader. */
const withoutMethods = (code: string): string =>
  code.replace(/[.#]require\s*\(|^\s+require\(\w+\)\s*\{/gm, "");

const findings = (source: string, loader: "ts" | "tsx" = "ts"): string[] => {
  const code = withoutMethods(bare(source, loader));
  return FORBIDDEN.filter(([, pattern]) => pattern.test(code)).map(([what]) => what);
};

describe("code made of data", () => {
  it("is found by the patterns, and nothing else is", () => {
    for (const [source, what] of [
      ["eval(text)", "eval"],
      ["globalThis['eval'](text)", "eval"],
      ["new Function(text)()", "Function"],
      ["(() => {}).constructor(text)", "Function"],
      ["import { runInNewContext } from 'vm'; runInNewContext(x);", "vm or a process"],
      ["import { exec } from 'node:child_process'; exec(x);", "vm or a process"],
      ["import { Worker } from 'node:worker_threads'; new Worker(x);", "a worker"],
      ["require(msg.topic)", "loading by a value"],
      ["void import(`./${name}`)", "loading by a value"],
      ["void import('./' + name)", "loading by a value"],
      ["setTimeout('x()', 1)", "a timer with a text"],
    ] as const) {
      assert.deepEqual(findings(source), [what], source);
    }
    for (const source of [
      "// eval(text)\nconst evaluated = 1;",
      "void import('./fixed.js'); require('fixed');",
      "tokens.require(operation); class A { require(a: string) { return a; } }",
      "type F = Function;",
      "RED.nodes.import(nodes);",
    ]) {
      assert.deepEqual(findings(source), [], source);
    }
  });

  for (const folder of ["lib", "nodes", "plugins", "simulator"]) {
    it(`is nowhere in ${folder}`, () => {
      const files = pathsBelow(folder).filter((file) => /[.]tsx?$/.test(file) && !file.endsWith(".d.ts"));
      assert.ok(files.length > 0);
      const found = files
        .map((file) => {
          const loader = file.endsWith("x") ? "tsx" : "ts";
          return [file, findings(readFileSync(join(ROOT, file), "utf8"), loader)] as const;
        })
        .map(([file, what]) => [file, what.filter((each) => !ALLOWED[file]?.includes(each))] as const)
        .filter(([, what]) => what.length > 0);
      assert.deepEqual(found, []);
    });
  }
});
