import { createHash } from "node:crypto";
import { PostgresqlEngine } from "./postgresql-engine";
import type { PostgresqlSettings } from "./postgresql-settings";
import { type SharedEngine, SharedEngines } from "../shared-engines";

const engines = new SharedEngines();

/** Certificates and keys may be buffers or texts. What cannot be compared makes no difference. */
const keyOf = ({ url, schema, tls }: PostgresqlSettings): string =>
  createHash("sha256")
    .update(JSON.stringify([url, schema, tls]))
    .digest("base64url");

/**
 * The engine of a schema in PostgreSQL: the same one for everybody in this process who has the same URL, schema and TLS settings.
 * It connects with the first operation, which reports what is wrong.
 * @param settings timeouts count for the first one who opens it
 */
export const sharePostgresql = (settings: PostgresqlSettings): Promise<SharedEngine> =>
  engines.share(keyOf(settings), () => new PostgresqlEngine(settings));
