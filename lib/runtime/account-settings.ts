import type { Node } from "node-red";
import type { TlsOptions } from "../gateway/connector";
import { OPERATIONS, type OperationId } from "../gateway/operations";
import type { ProxySettings } from "../gateway/proxy-choice";
import {
  type ClientCredentials,
  type GatewaySettings,
  type LegacyCredentials,
  SETTING_DEFAULTS,
} from "../gateway/settings";
import { SetupError } from "../shared/messaging-error";

/** The account node's configuration as Node-RED stores it; numbers may come as texts. Times in seconds. */
export interface AccountConfig {
  readonly service?: string;
  readonly serviceAddress?: string;
  readonly tokenAddress?: string;
  readonly legacyAuth?: string;
  readonly applicationId?: string;
  readonly defaultCountry?: string;
  readonly tls?: string;
  readonly proxy?: string;
  readonly connections?: number | string;
  readonly requestsPerSecond?: number | string;
  readonly queueLimit?: number | string;
  readonly attempts?: number | string;
  readonly connectTimeout?: number | string;
  readonly answerTimeout?: number | string;
  readonly refusedAt503?: boolean;
  readonly restPrefix?: boolean;
  readonly paths?: Readonly<Record<string, string>>;
}

export interface AccountCredentials {
  readonly username?: string;
  readonly password?: string;
  readonly accessToken?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
}

/** Finds another configuration node by its id. */
export type ResolveNode = (id: string) => Node | null | undefined;

/** A `${NAME}` that Node-RED could not replace is a forgotten variable, never a real value. */
function resolved(label: string, value: string | undefined): string {
  const name = /^\s*\$[{(]([^)}]+)[)}]\s*$/.exec(value ?? "")?.[1];
  if (name !== undefined) {
    throw new SetupError(
      "UNRESOLVED_VARIABLE",
      `The ${label} of the account is set to the environment variable ${name}, which does not exist. Set ${name} where Node-RED is started, or type the value itself.`,
    );
  }
  return value ?? "";
}

function inRange(
  label: string,
  value: number | string | undefined,
  initial: number,
  min: number,
  max: number,
): number {
  if (value === undefined || value === "") {
    return initial;
  }
  const found = Number(value);
  if (!(found >= min && found <= max)) {
    throw new SetupError(
      "BAD_SETTING",
      `The account's ${label} must be a number from ${min} to ${max}, but is '${value}'.`,
    );
  }
  return found;
}

function legacyCredentials(config: AccountConfig, credentials: AccountCredentials): LegacyCredentials | null {
  switch (config.legacyAuth) {
    case "token-header":
    case "token-query": {
      const accessToken = resolved("access token", credentials.accessToken);
      return accessToken === "" ? null : { kind: config.legacyAuth, accessToken };
    }
    case "none":
      return null;
    default: {
      const username = resolved("user name", credentials.username);
      const password = resolved("password", credentials.password);
      return username === "" || password === "" ? null : { kind: "basic", username, password };
    }
  }
}

function clientCredentials(credentials: AccountCredentials): ClientCredentials | null {
  const clientId = resolved("client id", credentials.clientId);
  const clientSecret = resolved("client secret", credentials.clientSecret);
  return clientId === "" || clientSecret === "" ? null : { clientId, clientSecret };
}

type TlsNode = Node & { valid?: boolean; addTLSOptions?: (options: Record<string, unknown>) => unknown };

function tlsOptions(id: string | undefined, find: ResolveNode): TlsOptions | null {
  if (!id) {
    return null;
  }
  const node = find(id) as TlsNode | null | undefined;
  if (!node?.addTLSOptions || node.valid === false) {
    throw new SetupError(
      "BAD_TLS",
      "The TLS configuration of the account is missing, disabled, or has an error. Open it and check its files.",
    );
  }
  const options: Record<string, unknown> = {};
  node.addTLSOptions(options);
  return options;
}

type ProxyNode = Node<{ username?: string; password?: string }> & {
  url?: string;
  noproxy?: string | string[];
};

function proxySettings(id: string | undefined, find: ResolveNode): ProxySettings | null {
  if (!id) {
    return null;
  }
  const node = find(id) as ProxyNode | null | undefined;
  if (!node?.url) {
    throw new SetupError(
      "BAD_PROXY",
      "The HTTP proxy of the account is missing, disabled, or has no address. Open it and type the address in.",
    );
  }
  return {
    url: node.url,
    username: node.credentials?.username,
    password: node.credentials?.password,
    noProxy: [node.noproxy ?? []].flat().flatMap((entry) => entry.split(",")),
  };
}

function changedPaths(paths: AccountConfig["paths"]): GatewaySettings["paths"] {
  const known = Object.entries(paths ?? {}).filter(
    ([id, path]) => id in OPERATIONS && typeof path === "string",
  );
  return Object.fromEntries(known) as Partial<Record<OperationId, string>>;
}

/**
 * Reads an account's configuration into what the gateway needs.
 * @throws SetupError UNRESOLVED_VARIABLE, BAD_SETTING, BAD_TLS, BAD_PROXY
 */
export function readGatewaySettings(
  config: AccountConfig,
  credentials: AccountCredentials,
  find: ResolveNode,
): GatewaySettings {
  const initial = SETTING_DEFAULTS;
  const seconds = (label: string, value: number | string | undefined, ms: number): number =>
    inRange(label, value, ms / 1000, 0.1, 600) * 1000;
  return {
    serviceAddress: resolved("service address", config.serviceAddress),
    tokenAddress: resolved("token service address", config.tokenAddress),
    legacy: legacyCredentials(config, credentials),
    oauth: clientCredentials(credentials),
    restPrefix: config.restPrefix === true,
    paths: changedPaths(config.paths),
    tls: tlsOptions(config.tls, find),
    proxy: proxySettings(config.proxy, find),
    connectTimeout: seconds("connect timeout (seconds)", config.connectTimeout, initial.connectTimeout),
    answerTimeout: seconds("answer timeout (seconds)", config.answerTimeout, initial.answerTimeout),
    connections: Math.floor(
      inRange("number of connections", config.connections, initial.connections, 1, 256),
    ),
    requestsPerSecond: inRange(
      "requests per second",
      config.requestsPerSecond,
      initial.requestsPerSecond,
      0,
      10_000,
    ),
    queueLimit: Math.floor(inRange("queue limit", config.queueLimit, initial.queueLimit, 0, 1_000_000)),
    attempts: Math.floor(inRange("number of attempts", config.attempts, initial.attempts, 1, 20)),
    refusedAt503: config.refusedAt503 === true,
  };
}
