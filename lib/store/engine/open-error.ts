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
