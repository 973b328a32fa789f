import type { Node } from "node-red";
import { Dispatcher, type QueueHandle } from "../../gateway/queue/dispatcher";
import type { GatewaySettings, ProxySettings } from "../../gateway/contract/settings";
import { SetupError } from "../../shared/messaging-error";
import { checkDefaultCountry } from "../../shared/recipients/phone-number";
import { recipientSentence } from "../../texts/recipient-sentence";
import { say } from "../../texts/say";
import { accountKey, type KeyPurpose } from "./account-key";
import {
  type AccountConfig,
  type AccountCredentials,
  readGatewaySettings,
  readSecrets,
  proxySettings,
} from "./account-settings";
import {
  type ChosenSecrets,
  chooseSecrets,
  type Secret,
  type SecretTexts,
  type SecretDestination,
} from "./stored-secrets";
import { secretDestinationOf } from "./draft-account";
import type { AccountNotice } from "./account-notice";
import { SendingState } from "./sending-state";
import { SendingStop } from "./sending-stop";
import type { AccountFacts } from "../../store/account-facts";
import type { CodeStore } from "../../store/codes";
import type { OptOutList } from "../../store/guards/opt-outs";
import { MemoryCheck } from "../guards/memory-check";
import { LeaveCheck, type LeaveRules } from "../guards/leave-check";
import { openProtection, type Protection } from "../guards/open-protection";
import type { RuleLists } from "../guards/rule-recipients";
import { LimitWarnings } from "../guards/limit-warnings";
import type { LimitSettings } from "../guards/limit-settings";
import { readAccountZone } from "../guards/account-zone";
import { AccountMemory } from "../memory/account-memory";
import type { FlowLifecycle } from "../node-red/flow-lifecycle";
import type { ResolveNode } from "../node-red/tls-options";
import type { SimulatorAccount } from "../simulator/simulator-account";
import { LeftBehind } from "../store/left-behind";
import { type AccountStore, openStore } from "../store/open-store";
import { cancelledResult } from "../store/history/queue-actions";
import { Outbox } from "../store/outbox/outbox";
import type { IsInFlows } from "../store/removed-accounts";
import { readStoreSettings, type StoreSettings } from "../store/store-settings";
import { AccountWaits } from "../waits/account-waits";
import { memoryPlace } from "../waits/memory-place";
import type { Waits } from "../waits/waits";

/** A webhook that the built-in simulator calls. */
export interface WebhookRegistration {
  readonly kind: "inbound" | "status";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly label: string;
}

/** A running built-in simulator; only the members that an account uses. */
export interface SimulatedService {
  readonly url: string;
  readonly credentials: {
    readonly username: string;
    readonly password: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly applicationId: string;
  };
  readonly account: SimulatorAccount & {
    registerWebhook(webhook: WebhookRegistration): { unregister(options?: { keep?: boolean }): void };
  };
  release(): void;
}

export type AcquireSimulator = (accountId: string) => Promise<SimulatedService>;

/** The settings of an account, with address, credentials and network settings replaced by those of a simulator. */
export function simulatedSettings(
  settings: GatewaySettings,
  { url, credentials }: SimulatedService,
): GatewaySettings {
  return {
    ...settings,
    serviceAddress: url,
    tokenAddress: "",
    legacy: { method: "basic", username: credentials.username, password: credentials.password },
    oauth: { clientId: credentials.clientId, clientSecret: credentials.clientSecret },
    tls: null,
    proxy: null,
  };
}

/** ms that a closing account or node waits for responses. Node-RED's own limit is 15 s. */
export const CLOSE_GRACE = 10_000;

/** Access of a send node to its account. */
export interface AccountAccess extends Protection {
  readonly queue: QueueHandle;
  readonly concurrency: number;
  /** Default application id; blank where unknown. */
  readonly applicationId: string;
  /** What the account remembers goes through it; null for an account that keeps messages in memory only. */
  readonly outbox: Outbox | null;
  /** Checks what leaves from memory. */
  readonly memory: MemoryCheck;
  /** What the badges of send nodes show of the account. */
  readonly state: SendingState;
}

/** What an account takes from the Node-RED that it is in. */
export interface AccountSurroundings {
  /** Node-RED's user directory, where it is known. */
  readonly userDir?: string | undefined;
  readonly lifecycle: FlowLifecycle;
  /** Tells people something. */
  readonly warn: (text: string) => void;
  /** Tells people what concerns the account as a whole. */
  readonly tell: (notice: AccountNotice) => void;
  readonly isInFlows: IsInFlows;
}

/**
 * One account: its settings, its dispatcher, and the built-in simulator where that is its service. Dispatcher and simulator
 * start on first use.
 */
export class Account {
  readonly simulated: boolean;
  readonly defaultCountry: string;
  /** Whether the account has a store, or ought to: opening it may fail. */
  readonly keepsMessages: boolean;
  #dispatcher: Promise<Dispatcher> | null = null;
  #simulator: SimulatedService | null = null;
  #store: Promise<AccountStore | null> | null = null;
  /** Stores that were given back because they do not know this process any more. */
  readonly #leftStores = new WeakSet<AccountStore>();
  #outbox: Outbox | null = null;
  #outboxStore: AccountStore | null = null;
  /** Gives back what the outbox holds. */
  #releaseOutboxStore: () => Promise<void> = async () => {};
  #waits: AccountWaits | null = null;
  /** The send nodes by identity: Node-RED brings the statuses of an account to Status nodes for these. */
  readonly users: Record<string, Node> = {};
  /** Whether nothing leaves. */
  readonly stop: SendingStop;
  readonly #state = new SendingState();
  /** The same one as that of `#dispatcher`, once it is there. */
  #opened: Dispatcher | null = null;
  #limitWarnings: LimitWarnings | null = null;
  /** Identities of its send nodes, with their number: in a partial deploy a node and its successor exist side by side. */
  readonly #sendNodes = new Map<string, number>();
  #closed = false;
  /** Whether it was looked for what waits in its former place. */
  #lookedBehind = false;
  /** What waits in its former places. */
  readonly leftBehind: LeftBehind;
  /** Webhooks that are being registered with the simulator. */
  readonly #joining = new Set<Promise<unknown>>();

  constructor(
    readonly id: string,
    private readonly config: AccountConfig,
    private readonly credentials: AccountCredentials,
    private readonly resolveNode: ResolveNode,
    private readonly acquireSimulator: AcquireSimulator,
    private readonly surroundings: AccountSurroundings,
  ) {
    this.simulated = config.service !== "service";
    this.keepsMessages = (config.keepMessages ?? "memory") !== "memory";
    this.defaultCountry = (config.defaultCountry ?? "").trim();
    this.leftBehind = new LeftBehind({
      id,
      userDir: surroundings.userDir,
      isInFlows: surroundings.isInFlows,
      settings: () => this.#storeSettings,
      openStore: () => this.store(),
      textKey: (place) => this.#keyIn(place, "texts"),
    });
    this.stop = new SendingStop(id, config.stopSending === true, () => this.#stopChanged());
  }

  /** The account behind a configuration node's id. @throws SetupError NO_ACCOUNT */
  static of(node: Node | null | undefined): Account {
    const account = Account.find(node);
    if (account === null) {
      throw new SetupError("NO_ACCOUNT", say("account.NO_ACCOUNT"));
    }
    return account;
  }

  /** The account behind a configuration node; null where there is none. */
  static find(node: Node | null | undefined): Account | null {
    const account = (node as (Node & { account?: unknown }) | null | undefined)?.account;
    return account instanceof Account ? account : null;
  }

  /** Joins the account's dispatcher. @throws SetupError (as a rejection) when the settings cannot work */
  async access(): Promise<AccountAccess> {
    const protection = await openProtection(this.config);
    const dispatcher = await this.#openDispatcher();
    if (!this.#lookedBehind) {
      this.#lookedBehind = true;
      void this.#tellLeftBehind();
    }
    // The simulator sends no event to a webhook that it does not know yet, so the first message waits for them.
    await Promise.allSettled(this.#joining);
    return {
      queue: dispatcher.openHandle(),
      concurrency: dispatcher.concurrency,
      applicationId: this.#applicationId,
      outbox: this.#outboxOf(dispatcher, protection),
      ...protection,
      memory: new MemoryCheck(AccountMemory.of(this.id), this.#leaveRules(protection)),
      state: this.#state,
    };
  }

  /** Sends what is in the store although none of the account's send nodes may run. @throws SetupError (as a rejection) */
  async sendStored(): Promise<void> {
    const protection = await openProtection(this.config);
    this.#outboxOf(await this.#openDispatcher(), protection)?.run();
  }

  /** Identities of the send nodes that exist, whether they work or not. */
  get sendNodes(): readonly string[] {
    return [...this.#sendNodes.keys()];
  }

  #warningsOf(limits: LimitSettings | null): LimitWarnings | null {
    if (limits !== null) {
      this.#limitWarnings ??= new LimitWarnings(this.id, limits.zone, {
        shown: (limit) => this.#state.change({ limit }),
        warned: (use) => this.surroundings.tell({ what: "limit", use }),
      });
    }
    return this.#limitWarnings;
  }

  /** Batches in memory that wait. */
  get waiting(): number {
    return this.#opened?.load.waiting ?? 0;
  }

  /** Keeps messages back, or lets them go; tells people where that is new. */
  #stopChanged(): void {
    const dispatcher = this.#opened;
    const { isOn } = this.stop;
    this.#state.change({ stopped: isOn });
    if (dispatcher === null || dispatcher.paused === isOn) {
      return;
    }
    dispatcher.paused = isOn;
    if (!this.#closed) {
      this.surroundings.tell({ what: isOn ? "stopped" : "goes-on" });
    }
  }

  async #openDispatcher(): Promise<Dispatcher> {
    if (this.#closed) {
      throw new SetupError("ACCOUNT_CLOSED", say("account.ACCOUNT_CLOSED"));
    }
    const opening = this.#dispatcher ?? this.#open();
    this.#dispatcher = opening;
    // A failure is not cached: its cause, such as a busy port, may be gone at the next message.
    return opening.catch((error: unknown) => {
      this.#dispatcher = null;
      throw error;
    });
  }

  #leaveRules({ limits, hours, zone }: Protection): LeaveRules {
    return { limits, hours, zone, onSpent: (spent) => this.#warningsOf(limits)?.all(spent, limits) };
  }

  async #tellLeftBehind(): Promise<void> {
    try {
      if (!(await this.leftBehind.mayBe())) {
        return;
      }
      if ((await this.leftBehind.finish()) > 0) {
        await this.sendStored();
      }
      for (const { waiting: n, place, problem } of (await this.leftBehind.look()).places) {
        this.surroundings.warn(problem ?? say("send.left-behind", { n, place: place ?? "" }));
      }
    } catch {
      // Whoever uses the store says what is wrong with it. The sidebar looks again.
    }
  }

  /** Brings what waits in its former places here, and sends it. @returns number of requests @throws SetupError, StoreError */
  async moveHere(): Promise<number> {
    try {
      return await this.leftBehind.move();
    } finally {
      // Also what came before a failure.
      await this.sendStored();
    }
  }

  /** @throws SetupError */
  #outboxOf(dispatcher: Dispatcher, protection: Protection): Outbox | null {
    const settings = this.#storeSettings;
    if (settings === null) {
      return null;
    }
    const { lifecycle, warn } = this.surroundings;
    this.#outbox ??= new Outbox({
      id: this.id,
      simulated: this.simulated,
      dispatcher,
      lifecycle,
      sendNodes: () => this.sendNodes,
      snapshotLimit: settings.snapshotLimit,
      leaveCheck: new LeaveCheck(this.#leaveRules(protection)),
      textKey: () => this.key("texts"),
      onUnreadable: () => warn(say("send.snapshot.unreadable")),
      openStore: async () => {
        const store = (await this.store()) as AccountStore;
        if (store !== this.#outboxStore) {
          // Its last answers are written there also where others leave the store before it.
          this.#outboxStore = store;
          this.#releaseOutboxStore = store.hold();
        }
        return store;
      },
      leaveStore: async (store) => {
        await this.#releaseOutboxStore();
        await this.#leaveStore(store);
      },
      onTrouble: ({ message }) => warn(message),
      onParked: (n) => warn(say("send.parked", { n })),
      onTakenOver: (n) => warn(say("send.taken-over", { n })),
    });
    return this.#outbox;
  }

  /** A send node with this identity exists, whether it works or not. @returns ends it */
  join(identity: string, node: Node): () => void {
    this.#sendNodes.set(identity, (this.#sendNodes.get(identity) ?? 0) + 1);
    this.users[identity] = node;
    return () => {
      if (this.users[identity] === node) {
        delete this.users[identity];
      }
      const left = (this.#sendNodes.get(identity) ?? 1) - 1;
      if (left === 0) {
        this.#sendNodes.delete(identity);
      } else {
        this.#sendNodes.set(identity, left);
      }
    };
  }

  /**
   * What the account remembers; null for an account that keeps messages in memory only.
   * @throws SetupError, StoreError (as a rejection) where the settings are wrong or the store cannot be opened
   */
  async store(): Promise<AccountStore | null> {
    if (this.#closed) {
      throw new SetupError("ACCOUNT_CLOSED", say("account.ACCOUNT_CLOSED"));
    }
    const opening = this.#store ?? this.#openStore();
    this.#store = opening;
    return opening.catch((error: unknown) => {
      // Not cached: the disk may have space again at the next message.
      if (this.#store === opening) {
        this.#store = null;
      }
      throw error;
    });
  }

  /** What it knows of people. @throws SetupError, StoreError (as a rejection) */
  async facts(): Promise<AccountFacts> {
    const opened = await this.store();
    return opened === null ? AccountMemory.of(this.id) : opened.store.facts(opened.account);
  }

  /** The people who do not want its messages. @throws SetupError, StoreError (as a rejection) */
  async optOuts(): Promise<OptOutList> {
    return (await this.facts()).optOuts;
  }

  /** IANA name of its time zone. @throws SetupError BAD_SETTING, UNRESOLVED_VARIABLE */
  get zone(): string {
    return readAccountZone(this.config);
  }

  /**
   * When people last wrote to one of its applications by WhatsApp, as far as it knows from events of its webhooks.
   * @param application id of the application
   * @param numbers digits
   * @returns epoch ms by number; a number of which nothing is known has no entry
   * @throws SetupError, StoreError (as a rejection)
   */
  async lastInbound(application: string, numbers: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { contacts } = await this.facts();
    // As it stands in events, whatever the spelling of the settings.
    return contacts.lastInbound("whatsapp", application.trim().toLowerCase(), numbers);
  }

  /** Its one-time codes. @throws SetupError, StoreError (as a rejection) */
  async codes(): Promise<CodeStore> {
    return (await this.facts()).codes;
  }

  /** Where its messages are looked up before they are taken. */
  readonly ruleLists: RuleLists = {
    optOuts: async (numbers) => (await this.optOuts()).find(numbers),
    onceUses: async (key, numbers) => (await this.facts()).onceKeys.find(key, numbers),
  };

  /**
   * Cancels what has not left of a send node.
   * @param node its identity
   * @param keys client message ids and once keys; null for everything
   * @returns number of requests
   * @throws SetupError, StoreError (as a rejection)
   */
  async cancel(node: string, keys: readonly string[] | null): Promise<number> {
    const opened = await this.store();
    return opened === null
      ? 0
      : opened.store.queue.cancelNode(opened.account, node, keys, cancelledResult(this.simulated));
  }

  /** A store that does not know this process any more is opened anew by whoever needs it next. */
  async #leaveStore(store: AccountStore): Promise<void> {
    if (this.#leftStores.has(store) || this.#closed) {
      return;
    }
    this.#leftStores.add(store);
    this.#store = null;
    this.stop.unfollow();
    await store.leave();
  }

  /**
   * Its messages that wait for a delivery or a reply. A store is not opened before it is needed.
   * @throws SetupError (as a rejection) where the settings are wrong
   */
  async waits(): Promise<Waits> {
    if (this.#closed) {
      throw new SetupError("ACCOUNT_CLOSED", say("account.ACCOUNT_CLOSED"));
    }
    const settings = this.#storeSettings;
    const place = settings === null ? memoryPlace(this.id) : null;
    this.#waits ??= new AccountWaits({
      id: this.id,
      lifecycle: this.surroundings.lifecycle,
      snapshotLimit: settings?.snapshotLimit ?? null,
      openStore: async () => place ?? ((await this.store()) as AccountStore),
      leaveStore: (store) => this.#leaveStore(store as AccountStore),
      textKey: () => this.key("texts"),
      onUnreadable: () => this.surroundings.warn(say("send.snapshot.unreadable")),
    });
    return this.#waits;
  }

  /** @throws SetupError */
  get #storeSettings(): StoreSettings | null {
    return readStoreSettings(this.config, this.surroundings.userDir, {
      storeUrl: this.credentials.storeUrl,
      find: this.resolveNode,
    });
  }

  /**
   * A key of the account; see `accountKey`.
   * @returns 32 bytes. A secret: it goes into no text, log or message
   * @throws SetupError, StoreError (as a rejection)
   */
  async key(purpose: KeyPurpose): Promise<Buffer> {
    return this.#keyIn(this.#storeSettings, purpose);
  }

  async #keyIn(store: StoreSettings | null, purpose: KeyPurpose): Promise<Buffer> {
    const { id, simulated } = this;
    const secrets = readSecrets(this.config, this.credentials);
    return accountKey({ id, simulated, secrets, store }, purpose);
  }

  async #openStore(): Promise<AccountStore | null> {
    const settings = this.#storeSettings;
    const { isInFlows } = this.surroundings;
    if (settings === null) {
      return null;
    }
    const store = await openStore(this.id, settings, isInFlows);
    await this.stop.follow(store);
    return store;
  }

  /** The secrets that a connection test with the settings of an open dialog may use. See `chooseSecrets`. */
  secretsFor(draft: SecretTexts, needed: readonly Secret[], destination: SecretDestination): ChosenSecrets {
    return chooseSecrets(draft, needed, destination, {
      destination: secretDestinationOf(this.config),
      secrets: this.credentials,
    });
  }

  /** Lets the first message of a simulated account wait until a webhook is registered, or its registration has failed. */
  awaitWebhook(registration: Promise<unknown>): void {
    this.#joining.add(registration);
    const end = (): void => void this.#joining.delete(registration);
    registration.then(end, end);
  }

  /**
   * Registers a webhook with the account's simulator. The returned function ends the registration; with `keep` the
   * simulator keeps retrying, like a service that does not know about a redeploy.
   */
  async connectWebhook(webhook: WebhookRegistration): Promise<(keep: boolean) => void> {
    const service = await this.acquireSimulator(this.id);
    const registered = service.account.registerWebhook(webhook);
    return (keep) => {
      registered.unregister({ keep });
      service.release();
    };
  }

  /** Calls `use` with the account's simulator and returns its result. */
  async withSimulator<Used>(use: (account: SimulatorAccount) => Used): Promise<Used> {
    const service = await this.acquireSimulator(this.id);
    try {
      return use(service.account);
    } finally {
      service.release();
    }
  }

  /** The proxy of the account; null where it has none that can be used. */
  get proxy(): ProxySettings | null {
    try {
      return proxySettings(this.config.proxy, this.resolveNode);
    } catch {
      return null;
    }
  }

  /** With the simulator, its own application id: the dialog hides the setting then. */
  get #applicationId(): string {
    return this.#simulator?.credentials.applicationId ?? (this.config.applicationId ?? "").trim();
  }

  async #open(): Promise<Dispatcher> {
    this.#opened = new Dispatcher(await this.#settings());
    this.#stopChanged();
    return this.#opened;
  }

  async #settings(): Promise<GatewaySettings> {
    const country = checkDefaultCountry(this.defaultCountry);
    if (!country.ok) {
      throw new SetupError("BAD_SETTING", recipientSentence(country.explanation));
    }
    const settings = readGatewaySettings(this.config, this.credentials, this.resolveNode);
    if (!this.simulated) {
      return settings;
    }
    this.#simulator = await this.acquireSimulator(this.id);
    return simulatedSettings(settings, this.#simulator);
  }

  /**
   * Ends the requests that its nodes have not ended, and frees dispatcher and simulator.
   * @param grace ms to wait for responses; Infinity waits for every response
   */
  async close(grace: number): Promise<void> {
    this.#closed = true;
    this.#limitWarnings?.close();
    const dispatcher = await this.#dispatcher?.catch(() => null);
    // Where it never opened, each node that tried has reported the reason.
    await Promise.all([this.#outbox?.close(grace), dispatcher?.close(grace), this.#waits?.close()]);
    await this.#releaseOutboxStore();
    this.#simulator?.release();
    this.#simulator = null;
    const store = await this.#store?.catch(() => null);
    this.stop.unfollow();
    await store?.release();
  }
}
