import type { PostgresqlSettings } from "../../store/engine/postgresql-engine";
import type { FoundStore } from "./found-store";

export async function checkDatabase(settings: PostgresqlSettings): Promise<FoundStore> {
  return { code: "OK", place: settings.schema, detail: "" };
}
