import type { OperationId } from "./operations";

export type LegacyCredentials =
  | { readonly method: "basic"; readonly username: string; readonly password: string }
  | { readonly method: "token-header" | "token-query"; readonly accessToken: string };

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export type TlsOptions = Readonly<Record<string, unknown>>;

/** `noProxy` lists hosts that are reached directly. */
export interface ProxySettings {
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly noProxy: readonly string[];
}

/** Times in ms. */
export interface GatewaySettings {
  readonly serviceAddress: string;
  /** Blank: the service address. */
  readonly tokenAddress: string;
  readonly legacy: LegacyCredentials | null;
  readonly oauth: ClientCredentials | null;
  readonly restPrefix: boolean;
  /** Replacements of the assumed paths (docs/service.md, Assumptions). */
  readonly paths: Readonly<Partial<Record<OperationId, string>>>;
  readonly tls: TlsOptions | null;
  readonly proxy: ProxySettings | null;
  readonly connectTimeout: number;
  readonly answerTimeout: number;
  readonly connections: number;
  /** 0: no limit. */
  readonly requestsPerSecond: number;
  readonly queueLimit: number;
  readonly attempts: number;
  /** True if a bare HTTP 503 means not accepted. */
  readonly refusedAt503: boolean;
}
