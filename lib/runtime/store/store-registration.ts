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

const DUPLICATES = WEBHOOK_RANGES.rememberHours.max * 60 * 60 * 1000;
/** Heartbeats between full checks, which find missed work. */
const THOROUGH = 12;

/** Shorter than a UUID, because each message has two of them in its rows. */
const newInstanceId = (): string => randomBytes(12).toString("base64url");

/** Events of other processes. A store for a single process has none. */
export interface RegistrationListener {
  /** Another process may have ended, so its work can be adopted. */
  readonly died?: () => void;
  /** This process was declared expired. It continues under a new registration. */
  readonly over?: () => void;
  /** Called regularly, for changes without a notification. */
  readonly beat?: () => void;
}

/** The registration of this process in one database, shared by its accounts. */
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

  /** Registers and recovers work of ended processes. @param isInFlows see `deleteRemoved` @throws StoreError */
  static async begin(engine: Engine, isInFlows: IsInFlows): Promise<StoreRegistration> {
    const registration = new StoreRegistration(engine);
    await registration.#begin(isInFlows);
    return registration;
  }

  async #begin(isInFlows: IsInFlows): Promise<void> {
    const { engine, instances } = this;
    const store = this.#store;
    await instances.start();
    // Outcomes that this process knows must not become `unknown`.
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
        await store.deleteDuplicates(DUPLICATES).catch(() => {});
        // Other processes may have accounts that these flows lack.
        return engine.exclusive && deleteRemoved(store.retention, this.accounts, isInFlows);
      }),
    );
  }

  /** A listener added after the end is called in a later tick. @returns removes it */
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
    // Users of the store report the error. Without heartbeats nothing is sent.
    const isAlive = await this.instances.sendHeartbeat().catch(() => null);
    this.#beating = false;
    if (isAlive === true && (await this.#look())) {
      this.#notify(++this.#beats % THOROUGH === 0 ? "died" : "beat");
    } else if (isAlive === false && !this.#over) {
      this.end();
      this.#notify("over");
    }
  }

  /** Returns false after a failure or while a check runs. */
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

  end(): void {
    this.#over = true;
    for (const end of this.#ends.splice(0)) {
      end();
    }
  }

  /** Other processes need not wait for the lease. Waiting sensitive texts prevent this: the next registration sends them. */
  async leave(): Promise<void> {
    this.end();
    if (Outbox.namesWithTexts().length === 0) {
      await this.instances.leave().catch(() => {});
    }
  }
}
