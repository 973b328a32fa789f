import { type Databases, databasesOf, type PostgresqlServer, startPostgresql } from "./postgresql-server";

/** The server of this process, where the test run has none for all. */
let own: Promise<PostgresqlServer | null> | undefined;

after(async () => (await own)?.remove());

/**
 * Gives the tests of a `describe` a database on the one server of the test run, which `TEST_POSTGRESQL` names by its port. Where there
 * can be none, the tests are skipped.
 */
export function usePostgresql(): () => Databases {
  let databases: Databases | null = null;
  before(async function () {
    const { TEST_POSTGRESQL: shared } = process.env;
    own ??= shared ? undefined : startPostgresql();
    const port = shared ? Number(shared) : (await own)?.port;
    if (port === undefined) this.skip();
    databases = await databasesOf(port);
  });
  return () => databases as Databases;
}

/** Gives the tests of a `describe` a server that they may kill, stop and set up; it is removed after them. */
export function useOwnPostgresql(): () => PostgresqlServer {
  let server: PostgresqlServer | null = null;
  before(async function () {
    server = await startPostgresql();
    if (server === null) this.skip();
  });
  after(() => server?.remove());
  return () => server as PostgresqlServer;
}
