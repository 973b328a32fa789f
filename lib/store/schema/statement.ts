import type { Dialect } from "./dialect";

/** A statement in both dialects. An engine prepares each object once, so it is made once, not for each call. */
export interface Statement {
  /** Unique among all statements: a prepared statement of PostgreSQL bears it. At most 63 characters. */
  readonly name: string;
  readonly text: (dialect: Dialect) => string;
}

const made = new Map<string, Statement>();

/** @throws Error for a name that another statement has */
export function statement(name: string, text: (dialect: Dialect) => string): Statement {
  if (made.has(name)) {
    throw new Error(`${name}: name in use`);
  }
  const one = { name, text };
  made.set(name, one);
  return one;
}

/** Every statement of the modules that are loaded. */
export const allStatements = (): readonly Statement[] => [...made.values()];
