import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(__dirname, "../../..");

/** Texts of all files below the folders whose names end so. */
const textsOf = (ending: RegExp, ...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => ending.test(file))
      .map((file) => readFileSync(join(ROOT, folder, file), "utf8")),
  );

const CLASS = /messaging-[\w-]+/g;

const found = (texts: readonly string[], pattern: RegExp): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([name]) => name)));

describe("style sheets of the editor", () => {
  it("style only classes that code or forms use", () => {
    const styled = found(textsOf(/\.css$/, "lib/editor"), /(?<=\.)messaging-[\w-]+/g);
    assert.ok(styled.size > 100, "the style sheets were not read");
    const sources = textsOf(/\.(ts|html)$/, "lib/editor", "nodes");
    const used = found(sources, CLASS);
    // The beginnings of classes whose end is computed, as in `messaging-phone-${name}`.
    const computed = [...found(sources, /messaging-[\w-]*-(?=\$\{)/g)];
    const unused = [...styled].filter(
      (name) => !used.has(name) && !computed.some((beginning) => name.startsWith(beginning)),
    );
    assert.deepEqual(unused, []);
  });
});
