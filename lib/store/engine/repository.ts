import { type Clock, SYSTEM_CLOCK } from "./clock";
import type { Engine } from "./engine";
import { MessageIds } from "./message-ids";

/** One concern of a store, kept in its database. */
export abstract class Repository {
  constructor(
    protected readonly engine: Engine,
    protected readonly clock: Clock = SYSTEM_CLOCK,
    /** Whether texts and messages stay after their results have left. */
    protected readonly keepTexts = false,
    protected readonly ids = new MessageIds(engine),
  ) {}
}
