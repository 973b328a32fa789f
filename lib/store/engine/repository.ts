import { type Clock, SYSTEM_CLOCK } from "./clock";
import type { Engine } from "./engine";

/** One concern of a store, kept in its database. */
export abstract class Repository {
  constructor(
    protected readonly engine: Engine,
    protected readonly clock: Clock = SYSTEM_CLOCK,
    /** Whether texts and messages stay after their results have left. */
    protected readonly keepTexts = false,
  ) {}
}
