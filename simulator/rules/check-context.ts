import type { Inventory } from "../inventory/inventory";

export interface ServiceLimits {
  readonly maxPriority: number;
  readonly maxUpload: number;
}

export interface CheckContext extends ServiceLimits {
  readonly inventory: Inventory;
}
