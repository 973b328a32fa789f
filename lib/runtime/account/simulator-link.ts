import type { GatewaySettings } from "../../gateway/contract/settings";
import { UnderWay } from "../../shared/async/under-way";
import type { SimulatorAccount } from "../simulator/simulator-account";

export interface WebhookRegistration {
  readonly kind: "inbound" | "status";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly label: string;
}

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

export class SimulatorLink {
  #service: SimulatedService | null = null;
  readonly #joining = new UnderWay();

  constructor(
    private readonly account: string,
    private readonly acquire: AcquireSimulator,
  ) {}

  get applicationId(): string | null {
    return this.#service?.credentials.applicationId ?? null;
  }

  async join(settings: GatewaySettings): Promise<GatewaySettings> {
    this.#service = await this.acquire(this.account);
    return simulatedSettings(settings, this.#service);
  }

  leave(): void {
    this.#service?.release();
    this.#service = null;
  }

  /** Lets the first message wait until a webhook is registered or its registration has failed. */
  awaitWebhook(registration: Promise<unknown>): void {
    this.#joining.begin();
    const end = (): void => this.#joining.end();
    registration.then(end, end);
  }

  joined(): Promise<void> {
    return this.#joining.idle();
  }

  /** Registers a webhook. @returns ends it; with `keep` the simulator keeps retrying, as a service does in a redeploy */
  async connectWebhook(webhook: WebhookRegistration): Promise<(keep: boolean) => void> {
    const service = await this.acquire(this.account);
    const registered = service.account.registerWebhook(webhook);
    return (keep) => {
      registered.unregister({ keep });
      service.release();
    };
  }

  async use<Used>(use: (account: SimulatorAccount) => Used): Promise<Used> {
    const service = await this.acquire(this.account);
    try {
      return use(service.account);
    } finally {
      service.release();
    }
  }
}
