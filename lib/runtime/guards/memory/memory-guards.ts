import { MemoryChannels } from "./memory-channels";
import { MemoryDepartures } from "./memory-departures";
import { MemoryLimits } from "./memory-limits";
import { MemoryOnceKeys } from "./memory-once-keys";
import { MemoryOptOuts } from "./memory-opt-outs";

const guards = new Map<string, MemoryGuards>();

/** What an account without a store knows of its recipients. It lasts as long as the process. */
export class MemoryGuards {
  readonly onceKeys = new MemoryOnceKeys();
  readonly limits = new MemoryLimits();
  readonly departures = new MemoryDepartures();
  readonly channels = new MemoryChannels();

  constructor(readonly optOuts: MemoryOptOuts = new MemoryOptOuts()) {}

  /** Those of an account, the same after a deploy. */
  static of(account: string): MemoryGuards {
    const known = guards.get(account) ?? new MemoryGuards(MemoryOptOuts.of(account));
    guards.set(account, known);
    return known;
  }
}
