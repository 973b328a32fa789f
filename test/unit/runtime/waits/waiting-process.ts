import "../../../../use-features";
import { randomUUID } from "node:crypto";
import type { NodeMessage } from "node-red";
import type { FlowLifecycle } from "../../../../lib/runtime/node-red/flow-lifecycle";
import type { AccountStore } from "../../../../lib/runtime/store/open-store";
import type { RegistrationListener } from "../../../../lib/runtime/store/store-registration";
import { AccountWaits } from "../../../../lib/runtime/waits/account-waits";
import type { Reply, WaitEnd, WaitListener, WaitRequest } from "../../../../lib/runtime/waits/waits";
import type { OtherReplies } from "../../../../lib/shared/fields/wait-fields";
import type { Engine } from "../../../../lib/store/engine/engine";
import { StoreError } from "../../../../lib/store/engine/store-error";
import type { NewEvent } from "../../../../lib/store/events/deliveries";
import type { Instances } from "../../../../lib/store/instances";
import { Store } from "../../../../lib/store/store";
import type { WaitRows } from "../../../../lib/store/waits/wait-rows";
import type { Timing } from "../../../../lib/gateway/http/timing";
import { answered, newEvent, takeJob } from "../../store/suite/store-under-test";

export const DAY = 24 * 60 * 60 * 1000;
export const HOUR = 60 * 60 * 1000;

/** The lifecycle of flows that a test starts and stops. */
class TestLifecycle {
  running = true;
  readonly listeners = new Set<() => void>();

  onStarted(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  set(running: boolean): void {
    this.running = running;
    for (const listener of running ? this.listeners : []) {
      listener();
    }
  }
}

/** A node that keeps what it gets. */
export class TestNode implements WaitListener {
  readonly ends: WaitEnd[] = [];
  readonly troubles: (string | null)[] = [];
  open = 0;
  textlessCount = 0;

  constructor(
    readonly others: OtherReplies = "output",
    private readonly word = /./,
  ) {}

  matches({ text }: Reply): boolean {
    return this.word.test(text);
  }

  emit(end: WaitEnd): void {
    this.ends.push(end);
  }

  clone(msg: NodeMessage): NodeMessage {
    return { ...msg, payload: structuredClone(msg.payload) };
  }

  counted(open: number): void {
    this.open = open;
  }

  textless(): void {
    this.textlessCount++;
  }

  trouble(error: Error | null): void {
    this.troubles.push(error instanceof StoreError ? error.code : (error?.message ?? null));
  }

  /** What has left, in a few words. */
  get seen(): readonly string[] {
    return this.ends.map(({ what, recipients, status, reply, restored, replaced }) =>
      [
        what,
        recipients.length > 3 ? recipients.length : recipients.join("+"),
        status ?? reply?.text ?? "",
        ...(replaced ? ["replaced"] : []),
        ...(restored ? ["restored"] : []),
      ].join(" "),
    );
  }
}

export const unreachable = (uncertain = false): StoreError =>
  new StoreError("STORE_UNREACHABLE", "database", "", uncertain);

type Hook = () => void | Promise<void>;

/** A Node-RED with one account. Several of them have the same store, and none knows of another one what is not in there. */
export class WaitingProcess {
  readonly lifecycle = new TestLifecycle();
  readonly watchers = new Set<RegistrationListener>();
  /** Throws, or waits, before a call of the store. */
  readonly before = new Map<keyof WaitRows, Hook>();
  /** The same, when the call has done its work. */
  readonly after = new Map<keyof WaitRows, Hook>();
  readonly calls: (keyof WaitRows)[] = [];
  readonly store: Pick<Store, "engine" | "waits">;
  readonly #real: Store;
  readonly waits: AccountWaits;
  /** The store cannot be opened. */
  openFault: Error | null = null;
  /** Whether others have not called it dead. */
  alive = true;
  held = 0;
  /** Calls that the store is at work on. */
  #underWay = 0;
  listening = 0;
  place: AccountStore;
  #instances: Instances;
  /** Recipients of the messages that it has sent, by their transfer ids. */
  readonly #sent = new Map<string, readonly string[]>();

  private constructor(
    engine: Engine,
    readonly timing: Timing,
    readonly account: string,
    knows: string,
  ) {
    const listen: Engine["listen"] = (topic, listener) => {
      const end = engine.listen(topic, listener);
      this.listening++;
      return () => {
        this.listening--;
        end();
      };
    };
    this.#real = new Store(engine, { keepTexts: false, clock: timing });
    this.store = { engine: intercept(engine, "listen", listen), waits: this.#watched(this.#real.waits) };
    this.#instances = this.#real.instances(randomUUID());
    this.place = this.#place();
    this.waits = new AccountWaits({
      id: knows,
      lifecycle: this.lifecycle as unknown as FlowLifecycle,
      snapshotLimit: 10_000,
      openStore: async () => {
        if (this.openFault !== null) {
          throw this.openFault;
        }
        return this.place;
      },
      leaveStore: async () => {
        await this.enter();
      },
      timing,
    });
  }

  /** @param knows what it remembers beside the store is shared with others of this name; by itself nothing */
  static async start(
    engine: Engine,
    timing: Timing,
    account = "a1",
    knows: string = randomUUID(),
  ): Promise<WaitingProcess> {
    const process = new WaitingProcess(engine, timing, account, knows);
    await process.enter();
    return process;
  }

  /** Begins another life in the store. */
  async enter(): Promise<void> {
    this.alive = true;
    this.#instances = this.#real.instances(randomUUID());
    this.place = this.#place();
    await this.#instances.start();
  }

  #place(): AccountStore {
    const place: Partial<AccountStore> = {
      account: this.account,
      scope: this.account,
      store: this.store as Store,
      instances: intercept(this.#instances, "mayLeave", () => this.alive),
      watch: (listener) => {
        this.watchers.add(listener);
        return () => this.watchers.delete(listener);
      },
      retain: () => {
        this.held++;
        return async () => {
          this.held--;
        };
      },
    };
    return place as AccountStore;
  }

  #watched(waits: WaitRows): WaitRows {
    return new Proxy(waits, {
      get: (target, name: keyof WaitRows) => {
        const call = target[name].bind(target) as (...given: unknown[]) => Promise<unknown>;
        return async (...given: unknown[]) => {
          this.calls.push(name);
          this.#underWay++;
          try {
            await this.before.get(name)?.();
            const result = await call(...given);
            await this.after.get(name)?.();
            return result;
          } finally {
            this.#underWay--;
          }
        };
      },
    });
  }

  tell(what: keyof RegistrationListener): void {
    for (const listener of this.watchers) {
      listener[what]?.();
    }
  }

  /** Ends it without a last write, as a crash does. */
  async crash(): Promise<void> {
    for (const name of ["emitted", "start", "passReply"] as const) {
      this.before.set(name, () => {
        throw unreachable(true);
      });
    }
    await this.end();
  }

  /** Ends it in order. */
  async end(): Promise<void> {
    await this.waits.close();
    await this.#instances.leave();
  }

  /** A request with an answer. @returns its transfer id */
  async send(recipients: readonly string[], account = this.account): Promise<string> {
    const { claims, settlements } = this.#real;
    const [id = 0] = await takeJob(this.#real, [{ recipients }], { account });
    await claims.claim(account, this.#instances.id, 1);
    const transferId = `t${id}`;
    await settlements.settle(this.#instances.id, [answered(id, { transferId })]);
    this.#sent.set(transferId, recipients);
    return transferId;
  }

  /** Begins to wait for a message. */
  begin(transferId: string | null, given: Partial<WaitRequest> = {}): Promise<void> {
    return this.waits.begin({
      node: "n1",
      kind: "delivered",
      channel: "any",
      transferId,
      clientMessageId: transferId,
      recipients: this.#sent.get(transferId ?? "") ?? [],
      until: this.timing.now() + HOUR,
      group: null,
      msg: { _msgid: "m1", payload: "hello" },
      ...given,
    });
  }

  /** Sends to these and waits for them. */
  async wait(recipients: readonly string[], given: Partial<WaitRequest> = {}): Promise<string> {
    const transferId = await this.send(recipients);
    await this.begin(transferId, given);
    return transferId;
  }

  /** Events of a webhook. */
  async received(events: readonly Partial<NewEvent>[]): Promise<void> {
    await this.#real.deliveries.note(
      this.account,
      events.map((event) => newEvent({ at: this.timing.now(), ...event })),
    );
  }

  /** An SMS from somebody. */
  async reply(number: string, text: string): Promise<void> {
    const body = JSON.stringify({ textMessageContent: text, originator: number });
    const reply = { channel: "sms" as const, body };
    await this.received([{ kind: "inbound", number, status: null, reply }]);
  }

  /** Lets the store and all that waits for it go on until nothing is under way. */
  async settle(): Promise<void> {
    let calls = -1;
    // PostgreSQL may answer others before a call that is under way, so that counts by itself. Hooks may hold a call back for good.
    for (let quiet = 0, patience = 500; quiet < 3; patience--) {
      calls = this.calls.length;
      await this.#real.probe();
      await new Promise((resolve) => setImmediate(resolve));
      quiet = calls === this.calls.length && (this.#underWay === 0 || patience <= 0) ? quiet + 1 : 0;
    }
  }
}

/** The same object but for one member. */
const intercept = <Target extends object, Name extends keyof Target>(
  target: Target,
  member: Name,
  value: Target[Name] | (() => Target[Name]),
): Target =>
  new Proxy(target, {
    get: (_, name) => {
      if (name === member) {
        return member === "mayLeave" ? (value as () => Target[Name])() : value;
      }
      const found: unknown = Reflect.get(target, name, target);
      return typeof found === "function" ? found.bind(target) : found;
    },
  });

/** A message with what JSON cannot hold. */
export const messageOf = (res: object): NodeMessage =>
  ({ _msgid: "m1", payload: { a: 1 }, res }) as NodeMessage;
