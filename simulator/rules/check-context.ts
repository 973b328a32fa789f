import type { Inventory } from "../inventory/inventory";

/** Configurable limits of the service. */
export interface ServiceLimits {
  /** Highest `priority`. */
  readonly maxPriority: number;
  /** Size of the largest file in bytes. */
  readonly maxUpload: number;
}

/** Limits and account data that requests are checked against. */
export interface CheckContext extends ServiceLimits {
  readonly inventory: Inventory;
}
