import { randomBytes } from "node:crypto";
import { WEBHOOK_RANGES } from "../../shared/fields/webhook-defaults";
import type { Engine } from "../../store/engine/engine";
import { HEARTBEAT_INTERVAL, type Instances } from "../../store/instances";
import { Store } from "../../store/store";
import { INSTANCES_TOPIC } from "../../store/schema/topics";
import { keepCleaning } from "./keep-cleaning";
import { LeftWork } from "./left-work";
import { Outbox } from "./outbox/outbox";
import { deleteRemoved, type IsInFlows, type OpenAccount } from "./removed-accounts";

/** ms for which a webhook may remember duplicates at most. */
const DUPLICATES = WEBHOOK_RANGES.rememberHours.max * 60 * 60 * 1000;
/** Heartbeats after which everything is looked for that may have been overlooked. */
const THOROUGH = 12;

/** New for each registration. Each message has the one that took it and the one that sent it in its rows, so it is shorter than a UUID. */
const newInstanceId = (): string => randomBytes(12).toString("base64url");

/** What an account hears of the processes that share its store. Nothing of it is told of a store that only one process can open. */
export interface RegistrationListener {
  /** Another process may have ended: what it was doing can be taken over. */
  readonly died?: () => void;
  /** The others have called this process dead. It goes on as a new one, with another registration. */
  readonly over?: () => void;
  /** From time to time. Something may be there that nobody told of. */
  readonly beat?: () => void;
}

/** The registration of this process in one database, shared by its accounts: proves that it is alive, and tells of others that are not. */
export class StoreRegistration {
  readonly accounts = new Set<OpenAccount>();
  readonly instances: Instances;
  readonly #store: Store;
  readonly #leftWork: LeftWork;
  readonly #listeners = new Set<RegistrationListener>();
  #beating = false;
  #beats = 0;
  #over = false;
  #ends: (() => void)[] = [];

  private constructor(private readonly engine: Engine) {
    this.#store = new Store(engine, { keepTexts: false });
    this.instances = this.#store.instances(newInstanceId());
    this.#leftWork = new LeftWork(this.#store, this.instances);
  }

  /**
   * Enters this process, and recovers what ended ones have left: what was leaving is `unknown` now.
   * @param isInFlows see `deleteRemoved`
   * @throws StoreError
   */
  static async begin(engine: Engine, isInFlows: IsInFlows): Promise<StoreRegistration> {
    const registration = new StoreRegistration(engine);
    await registration.#begin(isInFlows);
    return registration;
  }

  async #begin(isInFlows: IsInFlows): Promise<void> {
    const { engine, instances } = this;
    const store = this.#store;
    await instances.start();
    // What this process knows better is not `unknown`.
    await Outbox.writePending(engine.place, store);
    await instances.succeed(Outbox.namesWithTexts());
    await this.#leftWork.begin();
    if (!engine.exclusive) {
      const timer = setInterval(() => void this.#beat(), HEARTBEAT_INTERVAL).unref();
      this.#ends.push(
        () => clearInterval(timer),
        engine.listen(INSTANCES_TOPIC, () => void this.#look()),
      );
    }
    this.#ends.push(
      keepCleaning(async () => {
        await store.forgetDuplicates(DUPLICATES).catch(() => {});
        // The flows of another process, running or not, may have the accounts that these do not.
        return engine.exclusive && deleteRemoved(store.retention, this.accounts, isInFlows);
      }),
    );
  }

  /** Who comes after the end of this registration hears of it in a later turn. @returns ends it */
  watch(listener: RegistrationListener): () => void {
    this.#listeners.add(listener);
    if (this.#over) {
      setImmediate(() => this.#listeners.has(listener) && listener.over?.());
    }
    return () => void this.#listeners.delete(listener);
  }

  async #beat(): Promise<void> {
    if (this.#beating || this.#over) {
      return;
    }
    this.#beating = true;
    // Whoever uses the store tells people. Without heartbeats nothing leaves, and the next one shows whether others noticed.
    const isAlive = await this.instances.sendHeartbeat().catch(() => null);
    this.#beating = false;
    if (isAlive === true && (await this.#look())) {
      this.#notify(++this.#beats % THOROUGH === 0 ? "died" : "beat");
    } else if (isAlive === false && !this.#over) {
      this.end();
      this.#notify("over");
    }
  }

  /** Looks for what ended processes have left. @returns false where that failed, or goes on already */
  async #look(): Promise<boolean> {
    const found = this.#over ? null : await this.#leftWork.look();
    if (found === "ended") {
      this.#notify("died");
    }
    return found !== null;
  }

  #notify(what: keyof RegistrationListener): void {
    for (const listener of this.#listeners) {
      listener[what]?.();
    }
  }

  /** Stops heartbeats and cleaning. */
  end(): void {
    this.#over = true;
    for (const end of this.#ends.splice(0)) {
      end();
    }
  }

  /**
   * Ends it in order: the others need not wait until they have heard nothing for too long. While sensitive texts wait here they have to: the
   * next registration of this process sends those.
   */
  async leave(): Promise<void> {
    this.end();
    if (Outbox.namesWithTexts().length === 0) {
      await this.instances.leave().catch(() => {});
    }
  }
}
