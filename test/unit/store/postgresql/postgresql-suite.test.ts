// Slow: it runs every suite of the store, with a round trip to the server for each operation.
import { sharePostgresql } from "../../../../lib/store/engine/postgresql/shared-postgresql";
import { usePostgresql } from "../../../support/store/use-postgresql";
import { everySuite } from "../suite/every-suite";

/** A busy computer takes its time for statements about tens of thousands of people. */
const PATIENT = { statementTimeout: 60_000, readTimeout: 60_000, answerTimeout: 90_000 };

describe("a store in PostgreSQL", () => {
  const server = usePostgresql();
  everySuite(() => sharePostgresql({ url: server().url, schema: "messaging", tls: null, ...PATIENT }), true);
});
