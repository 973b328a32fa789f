import type { GatewaySettings } from "../../gateway/contract/settings";
import { UnderWay } from "../../shared/async/under-way";
import type { SimulatorAccount } from "../simulator/simulator-account";

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

/** The built-in simulator of an account, which starts on first use. */
export class SimulatorLink {
  /** The one that messages are sent to. */
  #service: SimulatedService | null = null;
  /** Webhooks that are being registered. */
  readonly #joining = new UnderWay();

  constructor(
    private readonly account: string,
    private readonly acquire: AcquireSimulator,
  ) {}

  /** Its application id; null while no messages are sent to it. */
  get applicationId(): string | null {
    return this.#service?.credentials.applicationId ?? null;
  }

  /** From now on messages are sent to it. @returns the settings for that */
  async join(settings: GatewaySettings): Promise<GatewaySettings> {
    this.#service = await this.acquire(this.account);
    return simulatedSettings(settings, this.#service);
  }

  /** Messages are sent to it no longer. */
  leave(): void {
    this.#service?.release();
    this.#service = null;
  }

  /** Lets the first message wait until a webhook is registered, or its registration has failed. */
  awaitWebhook(registration: Promise<unknown>): void {
    this.#joining.begin();
    const end = (): void => this.#joining.end();
    registration.then(end, end);
  }

  /** Resolves when no webhook is being registered. */
  joined(): Promise<void> {
    return this.#joining.idle();
  }

  /** Registers a webhook. @returns ends it; with `keep` the simulator keeps retrying, like a service that does not know about a redeploy */
  async connectWebhook(webhook: WebhookRegistration): Promise<(keep: boolean) => void> {
    const service = await this.acquire(this.account);
    const registered = service.account.registerWebhook(webhook);
    return (keep) => {
      registered.unregister({ keep });
      service.release();
    };
  }

  /** Calls `use` with the simulator and returns its result. */
  async use<Used>(use: (account: SimulatorAccount) => Used): Promise<Used> {
    const service = await this.acquire(this.account);
    try {
      return use(service.account);
    } finally {
      service.release();
    }
  }
}
