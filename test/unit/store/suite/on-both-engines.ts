import { sharePostgresql } from "../../../../lib/store/engine/postgresql/shared-postgresql";
import { shareSqlite } from "../../../../lib/store/engine/sqlite/shared-sqlite";
import { usePostgresql } from "../../../support/store/use-postgresql";
import { useFolder } from "../use-folder";
import { useShared } from "./empty-store";
import type { OpenStore } from "./store-under-test";

/** A busy computer takes its time for statements about tens of thousands of recipients. */
const LIMITS = { statementTimeout: 60_000, readTimeout: 60_000, answerTimeout: 90_000 };

/** Runs the tests of a part of the store on each engine. */
export function onBothEngines(name: string, suite: (open: OpenStore) => void): void {
  describe(`${name} in SQLite`, () => {
    const folder = useFolder();
    suite(useShared(() => shareSqlite(folder())));
  });
  describe(`${name} in PostgreSQL`, () => {
    const server = usePostgresql();
    suite(useShared(() => sharePostgresql({ url: server().url, schema: "messaging", tls: null, ...LIMITS })));
  });
}
