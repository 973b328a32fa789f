import type { Node } from "node-red";
import { OPERATIONS, type OperationId } from "../../gateway/contract/operations";
import type {
  ClientCredentials,
  GatewaySettings,
  LegacyCredentials,
  ProxySettings,
} from "../../gateway/contract/settings";
import { ACCOUNT_DEFAULTS, ACCOUNT_RANGES } from "../../shared/fields/account-defaults";
import { SetupError } from "../../shared/messaging-error";
import { say } from "../../texts/say";
import { readNumber, readText } from "../node-red/read-settings";
import { readTlsOptions, type ResolveNode } from "../node-red/tls-options";
import type { LimitConfig } from "../guards/limit-settings";
import type { SendingHoursConfig } from "../guards/sending-hours-settings";
import type { WhereToConfig } from "../guards/where-to-settings";
import type { StoreConfig } from "../store/store-settings";
import { parseServiceAddress } from "../../gateway/http/service-address";

/** The configuration of an account as Node-RED stores it. Numbers may be texts; times are in seconds. */
export interface AccountConfig extends StoreConfig, WhereToConfig, LimitConfig, SendingHoursConfig {
  readonly service: string;
  readonly serviceAddress: string;
  readonly tokenAddress: string;
  readonly legacyAuth: string;
  readonly applicationId: string;
  readonly defaultCountry: string;
  readonly tls: string;
  readonly proxy: string;
  readonly connections: number | string;
  readonly requestsPerSecond: number | string;
  readonly queueLimit: number | string;
  readonly attempts: number | string;
  readonly connectTimeout: number | string;
  readonly answerTimeout: number | string;
  readonly refusedAt503: boolean;
  readonly restPrefix: boolean;
  readonly skippedErrors: boolean;
  readonly stopSending: boolean;
  readonly whenRefused: string;
  readonly paths: Readonly<Record<string, string>>;
}

export interface AccountCredentials {
  readonly username?: string;
  readonly password?: string;
  readonly accessToken?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly storeUrl?: string;
}

type NumberSetting = keyof typeof ACCOUNT_RANGES;

function numberSetting(config: AccountConfig, name: NumberSetting): number {
  return readNumber(say(`account.label.${name}`), config[name], ACCOUNT_DEFAULTS[name], ACCOUNT_RANGES[name]);
}

const addressSetting = (config: AccountConfig, name: "serviceAddress" | "tokenAddress"): string =>
  readText(say(`account.label.${name}`), config[name]);

/** Returns the address that requests are accepted for; blank if it is invalid. */
export function readDestination(config: AccountConfig): string {
  try {
    const { origin, basePath } = parseServiceAddress("service", addressSetting(config, "serviceAddress"));
    return `${origin}${basePath}`;
  } catch {
    return "";
  }
}

const credential = (credentials: AccountCredentials, name: keyof AccountCredentials): string =>
  readText(say(`account.label.${name}`), credentials[name]);

function legacyCredentials(config: AccountConfig, credentials: AccountCredentials): LegacyCredentials | null {
  switch (config.legacyAuth) {
    case "token-header":
    case "token-query": {
      const accessToken = credential(credentials, "accessToken");
      return accessToken === "" ? null : { method: config.legacyAuth, accessToken };
    }
    case "none":
      return null;
    default: {
      const username = credential(credentials, "username");
      const password = credential(credentials, "password");
      return username === "" || password === "" ? null : { method: "basic", username, password };
    }
  }
}

function clientCredentials(credentials: AccountCredentials): ClientCredentials | null {
  const clientId = credential(credentials, "clientId");
  const clientSecret = credential(credentials, "clientSecret");
  return clientId === "" || clientSecret === "" ? null : { clientId, clientSecret };
}

type ProxyNode = Node<{ username?: string; password?: string }> & {
  url?: string;
  noproxy?: string | string[];
};

/** The proxy that an account uses, by the id of its configuration; null without one. @throws SetupError BAD_PROXY */
function proxySettings(id: string | undefined, find: ResolveNode): ProxySettings | null {
  if (!id) {
    return null;
  }
  const node = find(id) as ProxyNode | null | undefined;
  if (!node?.url) {
    throw new SetupError("BAD_PROXY", say("account.BAD_PROXY"));
  }
  return {
    url: node.url,
    username: node.credentials?.username,
    password: node.credentials?.password,
    noProxy: [node.noproxy ?? []].flat().flatMap((entry) => entry.split(",")),
  };
}

function changedPaths(paths: AccountConfig["paths"]): GatewaySettings["paths"] {
  const known = Object.entries(paths).filter(([id, path]) => id in OPERATIONS && typeof path === "string");
  return Object.fromEntries(known) as Partial<Record<OperationId, string>>;
}

/** Reads gateway settings, with times in ms. @throws SetupError UNRESOLVED_VARIABLE, BAD_SETTING, BAD_TLS, BAD_PROXY */
export function readGatewaySettings(
  config: AccountConfig,
  credentials: AccountCredentials,
  find: ResolveNode,
): GatewaySettings {
  return {
    serviceAddress: addressSetting(config, "serviceAddress"),
    tokenAddress: addressSetting(config, "tokenAddress"),
    legacy: legacyCredentials(config, credentials),
    oauth: clientCredentials(credentials),
    restPrefix: config.restPrefix === true,
    paths: changedPaths(config.paths),
    tls: readTlsOptions(config.tls, find, () => say("account.BAD_TLS")),
    proxy: proxySettings(config.proxy, find),
    connectTimeout: numberSetting(config, "connectTimeout") * 1000,
    answerTimeout: numberSetting(config, "answerTimeout") * 1000,
    connections: numberSetting(config, "connections"),
    requestsPerSecond: numberSetting(config, "requestsPerSecond"),
    queueLimit: numberSetting(config, "queueLimit"),
    attempts: numberSetting(config, "attempts"),
    refusedAt503: config.refusedAt503 === true,
  };
}
