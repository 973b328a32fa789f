import { inspectPostgresql, type SchemaState } from "../../../store/engine/postgresql/inspect-postgresql";
import type { PostgresqlSettings } from "../../../store/engine/postgresql/postgresql-engine";
import { say } from "../../../texts/say";
import { byteSize, type FoundStore } from "./found-store";

const CODES: Readonly<Record<SchemaState, string>> = {
  missing: "NEW_SCHEMA",
  empty: "EMPTY_SCHEMA",
  older: "OLDER_SCHEMA",
  current: "OK",
};

/** Reads only. @throws StoreError */
export async function checkDatabase(settings: PostgresqlSettings): Promise<FoundStore> {
  const { place, schema, encrypted, version, size, roundTrip } = await inspectPostgresql(settings);
  const detail = say(`account.storage.database.${encrypted ? "encrypted" : "plain"}`, {
    version,
    size: byteSize(size),
    time: Math.max(1, Math.round(roundTrip)),
  });
  return { code: CODES[schema], place, detail };
}
