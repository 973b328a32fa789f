import { sharePostgresql } from "../../../../lib/store/engine/postgresql/shared-postgresql";
import type { SharedEngine } from "../../../../lib/store/engine/shared-engines";
import { usePostgresql } from "../../../support/store/use-postgresql";
import { emptyStore } from "../../store/suite/empty-store";
import { accountWaitsContract } from "./account-waits-contract";
import { useProcesses } from "./use-processes";
import { waitTroublesSuite } from "./wait-troubles-suite";

describe("waits in PostgreSQL", () => {
  const server = usePostgresql();
  let shared: SharedEngine | null = null;
  after(() => shared?.release());

  /** One schema for all tests: to make it takes longer than a test. */
  const open = async () => {
    shared ??= await sharePostgresql({ url: server().url, schema: "messaging", tls: null });
    const { engine } = shared;
    return { engine, close: () => emptyStore(engine) };
  };

  // Each has hooks of its own.
  describe("that every account has", () => accountWaitsContract(useProcesses(open)));
  describe("in trouble", () => waitTroublesSuite(open));
});
