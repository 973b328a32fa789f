// Slow: it runs every suite of the store, with a commit to the disk for each operation.
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import { everySuite } from "./suite/every-suite";
import { useFolder } from "./use-folder";

describe("a store in SQLite", () => {
  const folder = useFolder();
  everySuite(() => shareSqlite(folder()), false);
});
