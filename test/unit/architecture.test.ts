import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { codeOf, page } from "../support/locales/guides";
import { ROOT } from "../support/locales/locale-files";

type Pattern = string | readonly string[];

interface Side {
  readonly path?: Pattern;
  readonly pathNot?: Pattern;
}

interface ImportRule {
  readonly name: string;
  readonly from: Side;
  readonly to: Side & { readonly dependencyTypes?: unknown; readonly circular?: unknown };
}

const { default: RULES } = createRequire(__filename)(join(ROOT, ".dependency-cruiser.mjs")) as {
  readonly default: { readonly forbidden: readonly ImportRule[] };
};

/** The match of one of the patterns; null where there is none. */
function matchOf(
  pattern: Pattern | undefined,
  path: string,
  groups: readonly string[] = [],
): RegExpExecArray | null {
  for (const each of pattern === undefined ? [] : [pattern].flat()) {
    const filled = each.replace(/\$(\d)/g, (_whole, n: string) => groups[Number(n)] ?? "");
    const match = new RegExp(filled).exec(path);
    if (match !== null) {
      return match;
    }
  }
  return null;
}

/** Names of the rules that forbid an import. */
const forbiddenBy = (from: string, to: string): readonly string[] =>
  RULES.forbidden
    .filter((rule) => {
      // Those look at how a file is imported, which a drawing does not say.
      if (rule.to.dependencyTypes !== undefined || rule.to.circular !== undefined) {
        return false;
      }
      const match = rule.from.path === undefined ? [] : matchOf(rule.from.path, from);
      if (match === null || matchOf(rule.from.pathNot, from) !== null) {
        return false;
      }
      const isMeant = rule.to.path === undefined || matchOf(rule.to.path, to, match) !== null;
      return isMeant && matchOf(rule.to.pathNot, to, match) === null;
    })
    .map(({ name }) => name);

interface Arrow {
  readonly from: string;
  readonly to: string;
  /** Whether it is an answer, which goes against the direction of the import. */
  readonly isAnswer: boolean;
}

interface Drawing {
  /** Path by name of the box; those that are not ours have none. */
  readonly boxes: ReadonlyMap<string, string>;
  readonly arrows: readonly Arrow[];
}

const BOX = /(\w+)(?:\["([^"]+)"\]|\(\["[^"]+"\]\))/g;
const ARROW = /^\s*(\w+)(?:\[.*?\]|\(\[.*?\]\))? (-->|-\.->)(?:\|[^|]+\|)? (\w+)(?:\[.*\]|\(\[.*\]\))?$/;

/** @throws Error for a line that is not understood */
function drawingOf(text: string): Drawing {
  const boxes = new Map<string, string>();
  for (const [, name = "", path] of text.matchAll(BOX)) {
    if (path !== undefined) {
      boxes.set(name, path);
    }
  }
  const named = new Set([...text.matchAll(BOX)].map(([, name = ""]) => name));
  const [first, ...lines] = text.trimEnd().split("\n");
  assert.equal(first, "flowchart TD");
  const arrows = lines.map((line) => {
    const [, from = "", arrow, to = ""] = ARROW.exec(line) ?? assert.fail(`not understood: ${line}`);
    for (const name of [from, to]) {
      assert.ok(named.has(name), `${name} is no box: ${line}`);
    }
    return { from, to, isAnswer: arrow === "-.->" };
  });
  return { boxes, arrows };
}

const isFolder = (path: string): boolean => statSync(join(ROOT, path)).isDirectory();
/** A file that stands for the box. */
const fileOf = (path: string): string => (isFolder(path) ? `${path}/any.ts` : path);

/** What is wrong with a drawing. */
function problemsOf(text: string): readonly string[] {
  const { boxes, arrows } = drawingOf(text);
  const lost = [...boxes.values()].filter((path) => !existsSync(join(ROOT, path)));
  if (lost.length > 0) {
    return lost.map((path) => `${path} does not exist`);
  }
  return arrows.flatMap(({ from, to, isAnswer }) => {
    const [one, other] = [boxes.get(from), boxes.get(to)];
    if (one === undefined || other === undefined) {
      return [];
    }
    const [importer, imported] = isAnswer ? [other, one] : [one, other];
    return forbiddenBy(fileOf(importer), fileOf(imported)).map(
      (rule) => `${one} ${isAnswer ? "-.->" : "-->"} ${other} is forbidden by ${rule}`,
    );
  });
}

describe("docs/architecture.md", () => {
  const text = page("docs/architecture.md");
  const drawings = codeOf(text, "mermaid");

  it("draws each of its roads", () => {
    const roads = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    assert.deepEqual(roads, ["In memory", "Kept", "Event", "Deploy", "Adoption"]);
    assert.equal(drawings.length, roads.length);
  });

  it("draws what exists, with arrows that the import rules allow", () => {
    assert.deepEqual(drawings.flatMap(problemsOf), []);
  });

  it("would not go unnoticed where it were wrong", () => {
    const draw = (...lines: readonly string[]): readonly string[] =>
      problemsOf(["flowchart TD", ...lines.map((line) => `  ${line}`)].join("\n"));
    assert.deepEqual(draw('a["lib/gone"] --> b["lib/store"]'), ["lib/gone does not exist"]);
    const upward = 'a["lib/store/jobs/jobs.ts"] --> b["lib/runtime/send"]';
    assert.deepEqual(draw(upward), ["lib/store/jobs/jobs.ts --> lib/runtime/send is forbidden by lib/store"]);
    assert.deepEqual(draw(upward.replace("-->", "-.->|result|")), []);
    const rooms = 'a["lib/gateway/http"] --> b["lib/gateway/queue"]';
    assert.deepEqual(draw(rooms).length, 1);
    assert.deepEqual(draw('a["nodes/sms-send/sms-send.ts"] --> b["nodes/rcs-send/rcs-send.ts"]').length, 1);
    assert.throws(() => draw("a -> b"), /not understood/);
    assert.throws(() => draw('a["lib/store"] --> b'), /no box/);
  });
});
