/** Characters of the longest name: PostgreSQL cuts names at 63, and others are made of this one. */
export const LONGEST_SCHEMA = 48;

/** Why a typed name cannot be the schema of an account's tables. */
export type SchemaFault = "characters" | "too-long" | "reserved";

/** Checks the name of a PostgreSQL schema typed by a user, for the dialog and the runtime alike; blank stands for the initial one. */
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
