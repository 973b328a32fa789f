import type { Node } from "node-red";
import { Dispatcher, type QueueHandle } from "../../gateway/queue/dispatcher";
import type { GatewaySettings } from "../../gateway/contract/settings";
import { SetupError } from "../../shared/messaging-error";
import { checkDefaultCountry } from "../../shared/recipients/phone-number";
import {
  type AccountConfig,
  type AccountCredentials,
  readGatewaySettings,
  type ResolveNode,
} from "./account-settings";
import {
  type ChosenSecrets,
  chooseSecrets,
  type Secret,
  type SecretTexts,
  type SecretDestination,
} from "./stored-secrets";
import { secretDestinationOf } from "./draft-account";
import type { SimulatorAccount } from "../simulator/simulator-actions";

/** A webhook as the simulator is told of it. */
export interface WebhookRegistration {
  readonly kind: "inbound" | "status";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly label: string;
}

/** A running built-in simulator as far as an account needs it. */
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

/** An account's settings with all that concerns the service replaced by a simulator's. */
export function simulatedSettings(
  settings: GatewaySettings,
  { url, credentials }: SimulatedService,
): GatewaySettings {
  return {
    ...settings,
    serviceAddress: url,
    tokenAddress: "",
    legacy: { kind: "basic", username: credentials.username, password: credentials.password },
    oauth: { clientId: credentials.clientId, clientSecret: credentials.clientSecret },
    tls: null,
    proxy: null,
  };
}

/** ms that a closing account or node waits for answers; Node-RED itself cuts at 15 s. */
export const CLOSE_GRACE = 10_000;

/** What a send node gets of an account. */
export interface AccountAccess {
  readonly queue: QueueHandle;
  readonly concurrency: number;
  /** Blank where none is known. */
  readonly applicationId: string;
}

/**
 * One account: its settings, its dispatcher, and its simulator where it has one. Everything is made on first
 * use, so an account that nobody uses opens nothing.
 */
export class Account {
  readonly simulated: boolean;
  readonly defaultCountry: string;
  #dispatcher: Promise<Dispatcher> | null = null;
  #simulator: SimulatedService | null = null;
  #closed = false;

  constructor(
    private readonly id: string,
    private readonly config: AccountConfig,
    private readonly credentials: AccountCredentials,
    private readonly resolveNode: ResolveNode,
    private readonly acquireSimulator: AcquireSimulator,
  ) {
    this.simulated = config.service !== "service";
    this.defaultCountry = (config.defaultCountry ?? "").trim();
  }

  /** The account behind a configuration node's id. @throws SetupError NO_ACCOUNT */
  static of(node: Node | null | undefined): Account {
    const account = Account.find(node);
    if (account === null) {
      throw new SetupError(
        "NO_ACCOUNT",
        "No account is chosen, or the chosen one is disabled. Open the node and choose or add an account.",
      );
    }
    return account;
  }

  /** The same, with null where there is none. */
  static find(node: Node | null | undefined): Account | null {
    const account = (node as (Node & { account?: unknown }) | null | undefined)?.account;
    return account instanceof Account ? account : null;
  }

  /** Joins the account's dispatcher. @throws SetupError (as a rejection) when the settings cannot work */
  async access(): Promise<AccountAccess> {
    if (this.#closed) {
      throw new SetupError("ACCOUNT_CLOSED", "The account is being closed.");
    }
    const opening = this.#dispatcher ?? this.#open();
    this.#dispatcher = opening;
    // A failure is not kept: what stood in the way, such as a busy port, may be gone for the next message.
    const dispatcher = await opening.catch((error: unknown) => {
      this.#dispatcher = null;
      throw error;
    });
    return {
      queue: dispatcher.openHandle(),
      concurrency: dispatcher.concurrency,
      applicationId: this.#applicationId,
    };
  }

  /** What a test with other settings may use of this account's secrets. */
  secretsFor(typed: SecretTexts, needed: readonly Secret[], way: SecretDestination): ChosenSecrets {
    return chooseSecrets(typed, needed, way, {
      way: secretDestinationOf(this.config),
      secrets: this.credentials,
    });
  }

  /**
   * Has the account's simulator call a webhook. The function that is returned ends that; with `keep` the
   * simulator goes on trying, as a service does that knows nothing of a redeploy.
   */
  async connectWebhook(webhook: WebhookRegistration): Promise<(keep: boolean) => void> {
    const service = await this.acquireSimulator(this.id);
    const registered = service.account.registerWebhook(webhook);
    return (keep) => {
      registered.unregister({ keep });
      service.release();
    };
  }

  /** Holds the account's simulator for as long as `use` takes, and gives what that gives. */
  async withSimulator<Used>(use: (account: SimulatorAccount) => Used): Promise<Used> {
    const service = await this.acquireSimulator(this.id);
    try {
      return use(service.account);
    } finally {
      service.release();
    }
  }

  /** What is hidden in the dialog does not count: the simulator knows its own application only. */
  get #applicationId(): string {
    return this.#simulator?.credentials.applicationId ?? (this.config.applicationId ?? "").trim();
  }

  async #open(): Promise<Dispatcher> {
    return new Dispatcher(await this.#settings());
  }

  async #settings(): Promise<GatewaySettings> {
    const country = checkDefaultCountry(this.defaultCountry);
    if (!country.ok) {
      throw new SetupError("BAD_SETTING", country.explanation);
    }
    const settings = readGatewaySettings(this.config, this.credentials, this.resolveNode);
    if (!this.simulated) {
      return settings;
    }
    this.#simulator = await this.acquireSimulator(this.id);
    return simulatedSettings(settings, this.#simulator);
  }

  /**
   * Ends all that is under way within `grace` ms, as far as its nodes have not already, and frees everything.
   * @param grace Infinity waits for every answer
   */
  async close(grace: number): Promise<void> {
    this.#closed = true;
    try {
      const dispatcher = await this.#dispatcher;
      await dispatcher?.close(grace);
    } catch {
      // It never opened: each node that tried has said why.
    }
    this.#simulator?.release();
    this.#simulator = null;
  }
}
