import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/packed-package";

describe("admin routes", () => {
  const sources = ["lib", "nodes"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => ({ file: join(folder, file), text: readFileSync(join(ROOT, folder, file), "utf8") })),
  );

  it("each name the permission that they need", () => {
    let found = 0;
    for (const { file, text } of sources) {
      for (const [call] of text.matchAll(/httpAdmin\??\.(?:get|post|put|patch|delete|use|all)\([^\n]*/g)) {
        found++;
        assert.match(call, /needsPermission\("flows\.(?:read|write)"\)/, `${file}: ${call}`);
      }
    }
    assert.ok(found >= 4, `only ${found} routes found`);
  });

  it("are few, so that whoever adds one thinks of test/e2e/permissions.test.ts", () => {
    const serving = sources
      .filter(({ text }) => /httpAdmin\.|serveEditor\(/.test(text))
      .map(({ file }) => file);
    assert.deepEqual(serving.sort(), [
      "lib/runtime/activity-routes.ts",
      "lib/runtime/connection-test-route.ts",
      "lib/runtime/editor-request.ts",
      "lib/runtime/self-test-route.ts",
      "lib/runtime/send-test-route.ts",
      "lib/runtime/simulator-routes.ts",
    ]);
  });
});
