import { randomUUID } from "node:crypto";
import { atMost } from "../../shared/async/at-most";
import { UnderWay } from "../../shared/async/under-way";
import { Batches } from "../../store/engine/batches";
import type { NotedEvents } from "../../store/events/deliveries";
import type { Duplicates, MemoryLimits } from "../../store/events/duplicates";
import { getScope } from "../../store/schema/scope";
import type { Entered, EventLedger, LedgerEntry, EventMessage } from "../../webhook/event-ledger";
import { operationChannel } from "../channels/operation-channel";
import { RetainedStore } from "./retained-store";
import { newEvent, storedKey } from "./new-event";
import type { AccountStore } from "./open-store";
import { SpareNames } from "../../webhook/spare-names";

/** Events with pending writes. The service has to deliver further ones again. */
const MOST_UNDER_WAY = 10_000;
const MOST_BYTES = 64 * 2 ** 20;
/** Share of the maximum number of keys after which new keys are counted. */
const COUNTED_AFTER = 0.1;
/** Milliseconds from an event to the next clean-up, and until a failed write is repeated. */
const CLEANING = 60_000;
const RETRY = 5_000;
/** Milliseconds in which no other process passes an event on. Longer than a flow may take to decide. */
const HOLDING = 30_000;
/** Milliseconds; the service delivers again sooner than that. */
const SHORT_AGE = 600_000;
/** Milliseconds for which keys of accepted events are collected; their responses do not wait. */
const COLLECTING = 25;
/** Milliseconds. With the node's own waits it stays below Node-RED's limit of 15 s for closing. */
const LAST_WRITES = 4_000;

/** The ledger of a node's successor continues with the same object. */
export interface UnwrittenKeys {
  readonly done: Set<string>;
  /** With epoch ms. */
  readonly cut: Map<string, number>;
}

export interface StoreLedgerParts {
  readonly receiver: string;
  readonly limits: MemoryLimits;
  readonly open: () => Promise<AccountStore>;
  readonly unwritten: UnwrittenKeys;
  /** Receives each error of the store; null when it works again. */
  readonly failed: (error: Error | null) => void;
  /** Milliseconds; default: a minute. */
  readonly cleaning?: number;
}

const NONE: NotedEvents["requests"] = new Map();

interface NamedEntry extends LedgerEntry {
  readonly name: string;
}

/** The events of one webhook in the store of its account. Simultaneous events share an operation. */
export class StoreLedger implements EventLedger {
  readonly #store: RetainedStore;
  readonly #cutsTaken = new Batches<string, boolean>((keys) => this.#use((d) => d.take("cut", keys)));
  readonly #entries = new Batches<NamedEntry, Entered>((entries) => this.#enterAll(entries));
  readonly #cuts = new Batches<string, undefined>(async (keys) => {
    await this.#use((duplicates) => duplicates.record("cut", keys));
    return keys.map(() => undefined);
  });
  readonly #spare = new SpareNames();
  #writing: NodeJS.Timeout | undefined;
  #fails = false;
  #cleaning: NodeJS.Timeout | undefined;
  readonly #underWay = new UnderWay();
  #bytes = 0;
  /** Infinity until the keys are counted once. */
  #uncounted = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor(private readonly parts: StoreLedgerParts) {
    this.#store = new RetainedStore(parts.open);
  }

  get hasRoom(): boolean {
    return this.#underWay.count < MOST_UNDER_WAY && this.#bytes < MOST_BYTES;
  }

  /** Opens the store, so that an error shows before the first event. Never rejects. */
  async open(): Promise<void> {
    await this.#during(async () => {
      await this.#store.get().then(
        () => this.parts.failed(null),
        (error: Error) => this.#failed(error),
      );
      await this.#writePending();
    });
  }

  enter(entry: LedgerEntry): Promise<Entered> {
    return this.#during(async () => {
      const key = storedKey(entry.key);
      this.#bytes += entry.bytes;
      try {
        return await (entry.unique
          ? this.#entries.add({ ...entry, key, name: key })
          : this.#enterRepeatable(entry, key));
      } catch (error) {
        this.#failed(error as Error);
        throw error;
      } finally {
        this.#bytes -= entry.bytes;
      }
    });
  }

  done(key: string): void {
    this.parts.unwritten.done.add(storedKey(key));
    this.#writeSoon(COLLECTING);
  }

  isCopy(key: string, unique: boolean): boolean {
    const stored = storedKey(key);
    const { done, cut } = this.parts.unwritten;
    if (unique) {
      return done.has(stored);
    }
    const at = cut.get(stored) ?? 0;
    cut.delete(stored);
    return at > Date.now() - SHORT_AGE;
  }

  cut(key: string): void {
    void this.#during(async () => {
      const stored = storedKey(key);
      try {
        await this.#cuts.add(stored);
      } catch (error) {
        this.parts.unwritten.cut.set(stored, Date.now());
        this.#failed(error as Error);
      }
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#writing);
    clearTimeout(this.#cleaning);
    await atMost(LAST_WRITES, this.#finish());
  }

  async #finish(): Promise<void> {
    await this.#underWay.idle();
    await this.#writePending();
    await this.#store.close();
  }

  /** Events without an id may be equal, so each has its own name. A redelivery keeps the name of its event. */
  async #enterRepeatable(entry: LedgerEntry, key: string): Promise<Entered> {
    if (await this.#cutsTaken.add(key)) {
      return {
        duplicate: true,
        seen: true,
        elsewhere: false,
        message: null,
        channel: null,
        sentBack: () => {},
      };
    }
    const name = this.#spare.take(key) ?? `${key}:${randomUUID()}`;
    const sentBack = (): void => this.#spare.give(key, name);
    try {
      return { ...(await this.#entries.add({ ...entry, key, name })), duplicate: false, sentBack };
    } catch (error) {
      sentBack();
      throw error;
    }
  }

  async #enterAll(entries: readonly NamedEntry[]): Promise<readonly Entered[]> {
    const opened = await this.#store.get();
    const { account, store, settings } = opened;
    const isShared = !store.engine.exclusive;
    this.#uncounted += entries.length;
    const note = async (simulated: boolean): Promise<NotedEvents["requests"]> => {
      const events = entries
        .filter((entry) => entry.simulated === simulated)
        .flatMap((entry) => newEvent(entry, entry.name, settings.keepTexts) ?? []);
      const scope = getScope(account, simulated);
      return events.length > 0 ? (await store.deliveries.note(scope, events)).requests : NONE;
    };
    // Requested in the same tick, so they share a commit.
    const [known, live, simulated] = await Promise.all([
      this.#duplicates(opened).meet(
        entries.map(({ key }) => key),
        entries.filter(({ unique }) => unique && isShared).map(({ key }) => key),
      ),
      note(false),
      note(true),
    ]);
    this.#worked();
    return entries.map(({ key, name, unique }, at) => {
      const { done = false, seen = false, elsewhere = false } = known[at] ?? {};
      const found = live.get(name) ?? simulated.get(name);
      const message: EventMessage | null =
        found === undefined
          ? null
          : { request: found.id, node: found.node, outcome: found.outcome, wasUnknown: found.wasUnknown };
      const sentBack = (): void => {
        if (isShared && unique) {
          void this.#during(() => this.#use((duplicates) => duplicates.release([key])).catch(() => {}));
        }
      };
      const channel = found === undefined ? null : operationChannel(found.operation);
      return { duplicate: done, seen, elsewhere, message, channel, sentBack };
    });
  }

  async #use<Result>(ask: (duplicates: Duplicates) => Promise<Result>): Promise<Result> {
    return ask(this.#duplicates(await this.#store.get()));
  }

  #duplicates({ store }: AccountStore): Duplicates {
    const { receiver, limits } = this.parts;
    const short = { age: SHORT_AGE, most: limits.most };
    const claimed = { age: HOLDING, most: limits.most };
    return store.duplicates(receiver, { done: limits, cut: short, seen: short, claimed });
  }

  async #writePending(): Promise<void> {
    clearTimeout(this.#writing);
    this.#writing = undefined;
    const { done } = this.parts.unwritten;
    const keys = [...done];
    if (keys.length === 0) {
      return;
    }
    this.#fails = false;
    try {
      await this.#use((duplicates) => duplicates.record("done", keys));
      for (const key of keys) {
        done.delete(key);
      }
      this.parts.failed(null);
    } catch (error) {
      this.#fails = true;
      this.#failed(error as Error);
      this.#writeSoon(RETRY);
    }
  }

  #writeSoon(afterMs: number): void {
    if (!this.#closed) {
      this.#writing ??= setTimeout(() => void this.#during(() => this.#writePending()), afterMs).unref();
    }
  }

  #worked(): void {
    this.parts.failed(null);
    if (this.#fails) {
      void this.#during(() => this.#writePending());
    }
    if (this.#cleaning === undefined && !this.#closed) {
      this.#cleaning = setTimeout(() => {
        this.#cleaning = undefined;
        void this.#during(() => this.#use((duplicates) => this.#clean(duplicates)).catch(() => {}));
      }, this.parts.cleaning ?? CLEANING).unref();
    }
  }

  async #clean(duplicates: Duplicates): Promise<void> {
    await duplicates.deleteOld();
    const uncounted = this.#uncounted;
    if (uncounted > this.parts.limits.most * COUNTED_AFTER) {
      this.#uncounted = 0;
      try {
        await duplicates.trim();
      } catch (error) {
        this.#uncounted += uncounted;
        throw error;
      }
    }
  }

  /** A closed node reports nothing. */
  #failed(error: Error): void {
    if (!this.#closed) {
      this.parts.failed(error);
    }
  }

  async #during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#underWay.begin();
    try {
      return await work();
    } finally {
      this.#underWay.end();
    }
  }
}
