import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import { Store } from "../../../lib/store/store";
import { answered, takeJob } from "./suite/store-under-test";
import { useFolder } from "./use-folder";

const NUMBER = "41791234567";
const TEXT = "a text of which nothing must stay";

describe("deleted rows", () => {
  const folder = useFolder();

  /** Whether any file of the store has these characters. */
  const holds = (text: string): boolean =>
    readdirSync(folder()).some((file) => readFileSync(join(folder(), file), "latin1").includes(text));

  it("are overwritten in the files of the store", async () => {
    const { engine, release } = await shareSqlite(folder());
    const store = new Store(engine, { keepTexts: false });
    await store.instances("me").start();
    const [id = 0] = await takeJob(store, [{ recipients: [NUMBER], content: TEXT }]);
    assert.ok(holds(NUMBER) && holds(TEXT), "they were never there");
    await store.claims.claim("a1", "me", 1);
    await store.settlements.settle("me", [answered(id, { emitted: true })]);
    assert.deepEqual(await store.retention.deleteNumber(NUMBER), {
      recipients: 1,
      events: 0,
      open: 0,
      gathered: 0,
    });
    assert.equal(holds(NUMBER), false, "the number is in a file");
    assert.equal(holds(TEXT), false, "the text is in a file");
    await release();
  });
});
