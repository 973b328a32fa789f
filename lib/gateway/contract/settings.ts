import type { OperationId } from "./operations";

/** The credentials for the legacy endpoints. docs/service.md, Authentication. */
export type LegacyCredentials =
  | { readonly method: "basic"; readonly username: string; readonly password: string }
  | { readonly method: "token-header" | "token-query"; readonly accessToken: string };

/** The credentials for the token service. docs/service.md, Authentication. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** TLS material as `tls.connect` takes it; from Node-RED's own TLS configuration node. */
export type TlsOptions = Readonly<Record<string, unknown>>;

/** An HTTP proxy as a user configured it; `noProxy` lists hosts that are reached directly. */
export interface ProxySettings {
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly noProxy: readonly string[];
}

/** The settings of an account for the gateway client. Times in ms. */
export interface GatewaySettings {
  readonly serviceAddress: string;
  /** Blank: the same as the service address. */
  readonly tokenAddress: string;
  readonly legacy: LegacyCredentials | null;
  readonly oauth: ClientCredentials | null;
  /** Puts `/rest` before the legacy paths that are published without it. */
  readonly restPrefix: boolean;
  /** Paths in place of the assumed ones. docs/service.md, Assumptions. */
  readonly paths: Readonly<Partial<Record<OperationId, string>>>;
  readonly tls: TlsOptions | null;
  readonly proxy: ProxySettings | null;
  readonly connectTimeout: number;
  readonly answerTimeout: number;
  /** Connections to the service, and so requests in flight. */
  readonly connections: number;
  /** 0: no limit. */
  readonly requestsPerSecond: number;
  /** Requests that may wait; one more is refused. */
  readonly queueLimit: number;
  /** Requests made for one batch at most. */
  readonly attempts: number;
  /** A bare HTTP 503 means that the message was not accepted. */
  readonly refusedAt503: boolean;
}
