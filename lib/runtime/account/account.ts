import type { Node } from "node-red";
import type { GatewaySettings } from "../../gateway/contract/settings";
import { SetupError } from "../../shared/messaging-error";
import { checkDefaultCountry } from "../../shared/recipients/phone-number";
import { recipientSentence } from "../../texts/recipient-sentence";
import { say } from "../../texts/say";
import { type AccountAccess, AccountSending, type AccountSurroundings } from "./account-sending";
import {
  type AccountConfig,
  type AccountCredentials,
  readDestination,
  readGatewaySettings,
} from "./account-settings";
import {
  type ChosenSecrets,
  chooseSecrets,
  type Secret,
  type SecretTexts,
  type SecretDestination,
} from "./stored-secrets";
import { getSecretDestination } from "./draft-account";
import type { SendingStop } from "./sending-stop";
import { JoinedNodes } from "./joined-nodes";
import { type AcquireSimulator, SimulatorLink } from "./simulator-link";
import { StoreAccess } from "./store-access";
import { StoreError } from "../../store/engine/store-error";
import type { OptOuts } from "../../store/guards/opt-outs";
import { openProtection, type Protection } from "../guards/open-protection";
import type { RuleLists } from "../guards/rule-recipients";
import { readAccountZone } from "../guards/account-zone";
import { KnownTemplates } from "./known-templates";
import type { ResolveNode } from "../node-red/tls-options";
import { type AccountStore, openStore } from "../store/open-store";
import { countInPreviousStorage } from "../store/previous-storage";
import { cancelledResult } from "../store/history/queue-actions";
import { readStoreSettings, type StoreSettings } from "../store/store-settings";
import { AccountWaits } from "../waits/account-waits";
import type { Waits } from "../waits/waits";
import { SIMULATOR } from "../../store/schema/scope";

/** Milliseconds that a closing account or node waits for responses. Node-RED's own limit is 15 s. */
export const CLOSE_GRACE = 10_000;

/** The settings, secrets and store of one account. Dispatcher, store and simulator start on first use. */
export class Account {
  readonly simulated: boolean;
  readonly destination: string;
  readonly defaultCountry: string;
  /** True if a skipped message without a wired output is an error. */
  readonly skippedErrors: boolean;
  readonly simulator: SimulatorLink;
  readonly nodes = new JoinedNodes();
  readonly #store: StoreAccess;
  readonly sending: AccountSending;
  #waits: AccountWaits | null = null;
  #closed = false;

  constructor(
    readonly id: string,
    private readonly config: AccountConfig,
    private readonly credentials: AccountCredentials,
    private readonly resolveNode: ResolveNode,
    acquireSimulator: AcquireSimulator,
    private readonly surroundings: AccountSurroundings,
  ) {
    this.simulated = config.service !== "service";
    this.destination = this.simulated ? SIMULATOR : readDestination(config);
    this.defaultCountry = config.defaultCountry.trim();
    this.skippedErrors = config.skippedErrors === true;
    this.simulator = new SimulatorLink(id, acquireSimulator);
    this.#store = new StoreAccess({ open: () => this.#openStore(), onLeft: () => this.stop.unfollow() });
    this.sending = new AccountSending({
      id,
      destination: this.destination,
      stopped: config.stopSending === true,
      waitsWhenRefused: config.whenRefused !== "fail",
      applicationId: (config.applicationId ?? "").trim(),
      simulator: this.simulator,
      surroundings,
      nodes: this.nodes,
      store: this.#store,
      protection: () => openProtection(config),
      settings: () => this.#settings(),
      storeSettings: () => this.#storeSettings,
    });
  }

  /** The account behind a configuration node's id. @throws SetupError NO_ACCOUNT */
  static of(node: Node | null | undefined): Account {
    const account = Account.find(node);
    if (account === null) {
      throw new SetupError("NO_ACCOUNT", say("account.NO_ACCOUNT"));
    }
    return account;
  }

  static find(node: Node | null | undefined): Account | null {
    const account = (node as (Node & { account?: unknown }) | null | undefined)?.account;
    return account instanceof Account ? account : null;
  }

  /** Templates that the service has accepted, of any account. They outlive a deploy. */
  get templates(): KnownTemplates {
    return KnownTemplates.of(this.id);
  }

  /** Joins the account's dispatcher. @throws SetupError (as a rejection) if the settings cannot work */
  access(): Promise<AccountAccess> {
    return this.sending.access();
  }

  get stop(): SendingStop {
    return this.sending.stop;
  }

  async reportPreviousStorage(): Promise<void> {
    try {
      const found = await countInPreviousStorage(this.id, this.#storeSettings);
      if (found !== null && found.waiting > 0) {
        const { waiting: n, place } = found;
        this.surroundings.warn(say(`account.previous-storage.${n === 1 ? "one" : "many"}`, { n, place }));
      }
    } catch (error) {
      if (error instanceof StoreError) {
        this.surroundings.warn(say("account.previous-storage.unread", { problem: error.message }));
      }
    }
  }

  /** @throws SetupError, StoreError (as a rejection) if the settings are wrong or the store cannot be opened */
  store(): Promise<AccountStore> {
    return this.#store.open();
  }

  /** Releases a store that lost the registration of this process, so that the next user opens it again. */
  leaveStore(store: AccountStore): Promise<void> {
    return this.#store.leave(store);
  }

  /** @throws SetupError, StoreError (as a rejection) */
  async optOuts(): Promise<OptOuts> {
    const { store, scope } = await this.store();
    return store.optOuts(scope);
  }

  /** IANA name of its time zone. @throws SetupError BAD_SETTING, UNRESOLVED_VARIABLE */
  get zone(): string {
    return readAccountZone(this.config);
  }

  readonly ruleLists: RuleLists = {
    optOuts: async (numbers) => (await this.optOuts()).find(numbers),
    onceUses: async (key, numbers) => {
      const { store, scope } = await this.store();
      return store.idempotencyKeys(scope).find(key, numbers);
    },
  };

  /** Cancels unsent requests of a node. @returns their number @throws SetupError, StoreError (as a rejection) */
  async cancel(node: string, keys: readonly string[] | null): Promise<number> {
    const { store, account } = await this.store();
    return store.queue.cancelNode(account, node, keys, cancelledResult());
  }

  /** @throws SetupError (as a rejection) if the settings are wrong */
  async waits(): Promise<Waits> {
    if (this.#closed) {
      throw new SetupError("ACCOUNT_CLOSED", say("account.ACCOUNT_CLOSED"));
    }
    this.#waits ??= new AccountWaits({
      id: this.id,
      lifecycle: this.surroundings.lifecycle,
      snapshotLimit: this.#storeSettings.snapshotLimit,
      openStore: () => this.store(),
      leaveStore: (left) => this.leaveStore(left),
    });
    return this.#waits;
  }

  /** @throws SetupError */
  get #storeSettings(): StoreSettings {
    return readStoreSettings(this.config, this.surroundings.userDir, {
      storeUrl: this.credentials.storeUrl,
      find: this.resolveNode,
    });
  }

  async #openStore(): Promise<AccountStore> {
    const { isInFlows } = this.surroundings;
    const store = await openStore(this.id, this.#storeSettings, isInFlows, this.destination);
    await this.stop.follow(store);
    return store;
  }

  /** Chooses the secrets that a connection test of an open dialog may use. See `chooseSecrets`. */
  secretsFor(draft: SecretTexts, needed: readonly Secret[], destination: SecretDestination): ChosenSecrets {
    return chooseSecrets(draft, needed, destination, {
      destination: getSecretDestination(this.config),
      secrets: this.credentials,
    });
  }

  /** @throws SetupError (as a rejection) if nothing can be sent with the settings */
  async readSettings(): Promise<{ readonly gateway: GatewaySettings; readonly protection: Protection }> {
    return { gateway: this.#readGateway(), protection: openProtection(this.config) };
  }

  /** @throws SetupError */
  #readGateway(): GatewaySettings {
    const country = checkDefaultCountry(this.defaultCountry);
    if (!country.ok) {
      throw new SetupError("BAD_SETTING", recipientSentence(country.explanation));
    }
    return readGatewaySettings(this.config, this.credentials, this.resolveNode);
  }

  async #settings(): Promise<GatewaySettings> {
    const settings = this.#readGateway();
    return this.simulated ? this.simulator.join(settings) : settings;
  }

  /** Ends the remaining requests. @param grace ms to wait for responses; Infinity waits for every response */
  async close(grace: number): Promise<void> {
    this.#closed = true;
    this.stop.close();
    this.#store.stop();
    await Promise.all([this.sending.close(grace), this.#waits?.close()]);
    this.simulator.leave();
    await this.#store.close();
  }
}
