// Slow: it installs the package from an archive, as the palette does.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { userDirWithPackage } from "../support/node-red/packed-package";

/** What may be in the package, and what for. */
const ALLOWED: readonly (readonly [path: RegExp, what: string])[] = [
  [
    /^(?:package\.json|LICENSE|README\.md|CHANGELOG\.md|SECURITY\.md)$/,
    "what the registry and the palette show",
  ],
  [/^dist\/(?:runtime|sqlite-thread|use-features|simulator\/cli)\.js$/, "the code of the runtime"],
  [/^dist\/THIRD-PARTY-LICENSES\.txt$/, "the licences of bundled packages"],
  [
    /^dist\/(?:lib|nodes|simulator)\/(?:[\w-]+\/)*[\w-]+\.js$/,
    "nodes, and what leads from them to the runtime",
  ],
  [/^dist\/(?:nodes|plugins)\/([\w-]+)\/[\w-]+\.html$/, "dialogs and the tab of the sidebar"],
  [/^resources\/sidebar\.js$/, "the views of the sidebar"],
  [/^dist\/(?:nodes|plugins)\/[\w-]+\/locales\/(?:en-US|de)\/[\w-]+\.(?:json|html)$/, "labels and help"],
  [/^dist\/nodes\/config\/icons\/[\w-]+\.svg$/, "icons, where Node-RED finds them"],
  [/^examples\/\d\d - [^/]+\.json$/, "flows of the import dialog"],
  [/^docs\/[\w-]+\.md$/, "guides, and reference pages for users"],
  [/^docs\/screenshots\/(?:[\w-]+\/)?[\w-]+\.png$/, "pictures that these pages show"],
  [/^simulator\/README\.md$/, "the reference of the program messaging-simulator"],
];

/** The palette installs it over slow connections and onto memory cards. */
const MAX_FILES = 180;
const MAX_BYTES = 4_600_000;
/** Every page of the editor loads all dialogs and the tab of the sidebar, compressed. */
const MAX_EDITOR_BYTES = 250_000;

describe("the package", () => {
  it("holds what a user needs, nothing else, and stays small", async () => {
    const folder = join(await userDirWithPackage(), "node_modules/@messaging-service/node-red-messaging");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => path.replaceAll("\\", "/"));
    assert.deepEqual(
      files.filter((path) => !ALLOWED.some(([pattern]) => pattern.test(path))),
      [],
    );
    for (const [pattern, what] of ALLOWED) {
      assert.ok(
        files.some((path) => pattern.test(path)),
        `no file for: ${what}`,
      );
    }
    const count = (paths: readonly string[], bytesOf: (path: string) => number): number =>
      paths.reduce((sum, path) => sum + bytesOf(join(folder, path)), 0);
    const bytes = count(files, (path) => statSync(path).size);
    const pages = files.filter((path) => /^dist\/(?:nodes|plugins)\/[\w-]+\/[\w-]+\.html$/.test(path));
    const editorBytes = count(pages, (path) => gzipSync(readFileSync(path)).length);
    assert.ok(files.length <= MAX_FILES, `${files.length} files`);
    assert.ok(bytes <= MAX_BYTES, `${bytes} bytes`);
    assert.ok(editorBytes <= MAX_EDITOR_BYTES, `${editorBytes} bytes of the editor`);
  });
});
