import type { Inventory } from "../inventory/inventory";

/** Limits that the service sets. */
export interface ServiceLimits {
  /** Highest `priority`. */
  readonly maxPriority: number;
  /** Bytes of the largest file. */
  readonly maxUpload: number;
}

/** What a request is checked against. */
export interface CheckContext extends ServiceLimits {
  readonly inventory: Inventory;
}
