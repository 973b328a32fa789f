import { sharePostgresql } from "../../../../lib/store/engine/postgresql/shared-postgresql";
import { shareSqlite } from "../../../../lib/store/engine/sqlite/shared-sqlite";
import type { SharedEngine } from "../../../../lib/store/engine/shared-engines";
import { usePostgresql } from "../../../support/store/use-postgresql";
import { useShared } from "../../store/suite/empty-store";
import { useStore } from "../../store/suite/store-under-test";
import { useFolder } from "../../store/use-folder";
import { leavingContract } from "./leaving-contract";
import { LeavingStore } from "./leaving-under-test";

describe("what keeps messages from leaving", () => {
  const inStore = (share: () => Promise<SharedEngine>): void => {
    const fixture = useStore(useShared(share));
    let under: LeavingStore;
    beforeEach(() => {
      under = new LeavingStore(fixture());
    });
    leavingContract(() => under);
  };

  describe("in SQLite", () => {
    const folder = useFolder();
    inStore(() => shareSqlite(folder()));
  });

  describe("in PostgreSQL", () => {
    const server = usePostgresql();
    inStore(() => sharePostgresql({ url: server().url, schema: "messaging", tls: null }));
  });
});
