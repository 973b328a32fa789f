import type { AccountFacts } from "../../store/account-facts";
import type { NewEvent } from "../../store/events/deliveries";
import { type Clock, SYSTEM_CLOCK } from "../../store/engine/clock";
import { KnownEvents } from "./known-events";
import { KnownTemplates } from "./known-templates";
import { MemoryChannels } from "./memory-channels";
import { MemoryCodes } from "./memory-codes";
import { MemoryDepartures } from "./memory-departures";
import { MemoryDigests } from "./memory-digests";
import { MemoryLimits } from "./memory-limits";
import { MemoryOnceKeys } from "./memory-once-keys";
import { MemoryOptOuts } from "./memory-opt-outs";
import { MemoryWaits } from "./waits/memory-waits";

const memories = new Map<string, AccountMemory>();

/** All that an account without a store knows of people, requests and events, and the templates and digests of any account. It lasts as long as the process. */
export class AccountMemory implements AccountFacts {
  readonly optOuts: MemoryOptOuts;
  readonly onceKeys: MemoryOnceKeys;
  readonly limits = new MemoryLimits();
  readonly departures: MemoryDepartures;
  readonly channels: MemoryChannels;
  readonly codes: MemoryCodes;
  readonly events: KnownEvents;
  readonly waits: MemoryWaits;
  readonly digests: MemoryDigests;
  /**
   * Digests that have left while their store could not be told so, by name, of an account with a store as well: `left` is never sent again by this
   * process; `unsure`, where the flows stopped just then, leaves once more, marked.
   */
  readonly departed = new Map<string, "left" | "unsure">();
  readonly templates = new KnownTemplates();

  constructor(account: string, clock: Clock = SYSTEM_CLOCK) {
    this.optOuts = new MemoryOptOuts(clock);
    this.onceKeys = new MemoryOnceKeys(clock);
    this.departures = new MemoryDepartures(clock.now);
    this.channels = new MemoryChannels(clock.now);
    this.codes = new MemoryCodes(account, clock);
    this.events = new KnownEvents(clock.now);
    this.digests = new MemoryDigests(clock);
    this.waits = new MemoryWaits(this.departures, clock);
  }

  /** That of an account, the same after a deploy. */
  static of(account: string): AccountMemory {
    const known = memories.get(account) ?? new AccountMemory(account);
    memories.set(account, known);
    return known;
  }

  /**
   * Changes what an event of a webhook says something about: opt-outs, and messages that wait.
   * @param unique whether no other event has its key
   * @returns false for a copy of an event that has changed it already
   */
  note(event: NewEvent, unique: boolean): boolean {
    if (unique && !this.events.isNew(event)) {
      return false;
    }
    const { optOut } = event;
    if (optOut?.change === "stop") {
      this.optOuts.put(optOut.number, optOut.scope, "inbound");
    } else if (optOut?.change === "start") {
      this.optOuts.drop(optOut.number);
    }
    this.waits.received(event);
    return true;
  }
}
