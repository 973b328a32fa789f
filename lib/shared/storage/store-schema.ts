/** PostgreSQL cuts names at 63, and others are derived from this one. */
export const LONGEST_SCHEMA = 48;

export type SchemaFault = "characters" | "too-long" | "reserved";

export function findSchemaFault(typed: string): SchemaFault | null {
  const name = typed.trim();
  if (!/^\w*$/.test(name)) {
    return "characters";
  }
  if (name.length > LONGEST_SCHEMA) {
    return "too-long";
  }
  return /^pg_|^information_schema$/i.test(name) ? "reserved" : null;
}
