import assert from "node:assert/strict";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkStore } from "../../../../../lib/runtime/store/check/check-store";
import { shareSqlite } from "../../../../../lib/store/engine/sqlite/shared-sqlite";
import { statement } from "../../../../../lib/store/schema/statement";
import { Store } from "../../../../../lib/store/store";
import { useFolder } from "../../../store/use-folder";
import { accountConfig } from "../../../../support/account-config";

const NEWER = statement(
  "test_check_newer",
  () => "INSERT INTO schema_migrations (version, hash, applied_at) VALUES (9999, '', 0)",
);

describe("the check of a store", () => {
  const folder = useFolder();
  const check = (storeFolder = folder(), more = {}) =>
    checkStore(accountConfig({ storeFolder, ...more }), undefined);

  async function make(at = folder()): Promise<void> {
    const { engine, release } = await shareSqlite(at);
    await new Store(engine, { keepTexts: false }).probe();
    await release();
  }

  it("names the location and creates nothing when it is empty", async () => {
    const place = join(folder(), "a", "b");
    const { state, code, about, detail } = await check(place);
    assert.deepEqual([state, code, about], ["ok", "NEW", join(place, "messages.db")]);
    assert.match(detail, /^0 bytes; \d+ \w+ free on the disk$/);
    assert.deepEqual(readdirSync(folder()), []);
  });

  it("opens what is there, and tells its size", async () => {
    await make();
    const { state, code, about, detail } = await check();
    assert.deepEqual([state, code, about], ["ok", "OK", join(folder(), "messages.db")]);
    assert.match(detail, /^\d{2,} KiB; \d+ \w+ free on the disk$/);
  });

  it("reports a file of a newer version, and leaves it unchanged", async () => {
    const { engine, release } = await shareSqlite(folder());
    await engine.run([{ statement: NEWER, values: [] }]);
    await release();
    const { state, code, about, detail } = await check();
    assert.deepEqual([state, code, about], ["failed", "STORE_NEWER", join(folder(), "messages.db")]);
    assert.match(detail, /9999/);
  });

  it("reports a damaged file", async () => {
    writeFileSync(join(folder(), "messages.db"), "no database at all, but long enough to be one".repeat(99));
    const { state, code } = await check();
    assert.deepEqual([state, code], ["failed", "STORE_DAMAGED"]);
  });

  it("reports a file in place of the folder or of a parent", async () => {
    const file = join(folder(), "taken");
    writeFileSync(file, "");
    for (const place of [file, join(file, "a"), join(file, "a", "b")]) {
      const { state, code } = await check(place);
      assert.deepEqual([state, code], ["failed", "STORE_NO_FOLDER"], place);
    }
  });

  it("reports a folder that it may not write", async function () {
    // The administrator may write everywhere, but not where the system has files of its own.
    const place = "/proc/self/messaging";
    if (!existsSync(dirname(place))) this.skip();
    assert.equal((await check(place)).code, "STORE_READ_ONLY");
  });
});
