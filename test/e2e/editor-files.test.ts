import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { userDirWithPackage } from "../support/node-red/packed-package";

interface Manifest {
  readonly name: string;
  readonly "node-red": Readonly<Record<"nodes" | "plugins", Readonly<Record<string, string>>>>;
}

/** Takes every call and has every property, so that it stands for what files of the editor use as they are loaded. */
const anything = (): unknown =>
  new Proxy(() => {}, {
    get: (_target, name) => (name === Symbol.toPrimitive ? () => "" : anything()),
    apply: () => anything(),
    construct: () => anything() as object,
  });

/** Runs the scripts of files of the editor in an empty page. @returns what they register, in order */
function registeredBy(files: readonly string[]): readonly string[] {
  const registered: string[] = [];
  const note = (name: string): void => void registered.push(name);
  const nodes = new Proxy({}, { get: (_nodes, name) => (name === "registerType" ? note : anything()) });
  const RED = new Proxy(
    {},
    {
      get: (_RED, name) =>
        name === "nodes" ? nodes : name === "plugins" ? { registerPlugin: note } : anything(),
    },
  );
  const page = createContext({ RED, $: anything(), document: anything(), window: anything(), console });
  for (const file of files) {
    for (const [, script = ""] of readFileSync(file, "utf8").matchAll(
      /<script type="text\/javascript">(.*?)<\/script>/gs,
    )) {
      runInContext(script, page, { filename: file });
    }
  }
  return registered;
}

/** Bytes of all of them, compressed as a server does: every page of the editor gets them, also one that uses none of our nodes. */
const BYTES = 250_000;

describe("the files of the editor", () => {
  it("are small together, for each page of the editor gets them, and leave out what somebody has to open first", async () => {
    const folder = join(await userDirWithPackage(), "node_modules", "@messaging-service/node-red-messaging");
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
    const { nodes, plugins } = manifest["node-red"];
    const files = Object.values({ ...plugins, ...nodes }).map((file) =>
      readFileSync(join(folder, file.replace(/\.js$/, ".html"))),
    );
    const bytes = files.reduce((sum, file) => sum + gzipSync(file).length, 0);
    assert.ok(bytes <= BYTES, `${bytes} bytes`);
    const ofReport = ".messaging-report-tiles";
    assert.ok(readFileSync(join(folder, "resources/report.js"), "utf8").includes(ofReport));
    assert.ok(files.every((file) => !file.includes(ofReport)));
  });

  it("register their nodes and the sidebar, each once, whatever order the editor gets them in", async () => {
    const name = "@messaging-service/node-red-messaging";
    const folder = join(await userDirWithPackage(), "node_modules", name);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
    const { nodes, plugins } = manifest["node-red"];
    const all = { ...plugins, ...nodes };
    const files = Object.values(all).map((file) => join(folder, file.replace(/\.js$/, ".html")));
    const expected = Object.keys(all).sort();
    assert.deepEqual(registeredBy(files).toSorted(), expected);
    assert.deepEqual(registeredBy(files.toReversed()).toSorted(), expected);
    const [shared = ""] = files.filter((file) => file.endsWith("messaging-account.html"));
    const others = files.filter((file) => file !== shared);
    assert.deepEqual(registeredBy([shared, ...others]).toSorted(), expected);
    assert.deepEqual(registeredBy(others), [], "before the code is there that they share");
  });
});
