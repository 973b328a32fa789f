import { type PostgresqlServer, startPostgresql } from "./postgresql-server";

/**
 * Starts one PostgreSQL server for the tests of a `describe`, and removes it after them. Where it cannot be had, its tests are
 * skipped.
 */
export function usePostgresql(): () => PostgresqlServer {
  let server: PostgresqlServer | null = null;
  before(async function () {
    this.timeout(60_000);
    server = await startPostgresql();
    if (server === null) {
      this.skip();
    }
  });
  after(() => server?.remove());
  return () => server as PostgresqlServer;
}
