import { sharePostgresql } from "../../../../lib/store/engine/postgresql/shared-postgresql";
import { usePostgresql } from "../../../support/store/use-postgresql";
import { everySuite } from "../suite/every-suite";

describe("a store in PostgreSQL", () => {
  const server = usePostgresql();
  everySuite(() => sharePostgresql({ url: server().url, schema: "messaging", tls: null }), true);
});
