import type { Dialect } from "../schema/sql";
import { hasHashes, latestVersion } from "../schema/migrations";
import type { StoreFault } from "./store-error";

/** A database that cannot be opened, before its engine has made a `StoreError` of it. Crosses no thread. */
export class OpenError extends Error {
  /** @param detail what the database or system said, without secrets; may be blank */
  constructor(
    readonly fault: StoreFault,
    detail: string,
  ) {
    super(detail);
  }
}

/**
 * Returns the version of a schema.
 * @param migrations rows of `readMigrations`
 * @throws OpenError if a later version of this package, or a draft of this one, made it
 */
export function checkVersion(
  migrations: readonly { readonly version?: unknown; readonly hash?: unknown }[],
  dialect: Dialect,
): number {
  const version = Number(migrations.at(-1)?.version ?? 0);
  if (version > latestVersion()) {
    throw new OpenError("STORE_NEWER", `${version} > ${latestVersion()}`);
  }
  if (!hasHashes(migrations, dialect)) {
    throw new OpenError("STORE_EARLIER", "");
  }
  return version;
}
