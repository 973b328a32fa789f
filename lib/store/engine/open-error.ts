import { latestVersion } from "../schema/migrations";
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

/** @param present version of a schema @throws OpenError where a later version of this package has made it */
export function refuseNewer(present: number): void {
  if (present > latestVersion()) {
    throw new OpenError("STORE_NEWER", `${present} > ${latestVersion()}`);
  }
}
