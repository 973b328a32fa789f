import { WEBHOOK_DEFAULTS, WEBHOOK_RANGES } from "../../shared/fields/webhook-defaults";
import { type MessageChannel, readMessageChannel } from "../../shared/message-channel";
import { hasControlCharacter } from "../../shared/characters";
import { SetupError } from "../../shared/messaging-error";
import { withoutEndSlashes } from "../../shared/trim-end";
import { findPathFormFault, webhookPath } from "../../shared/network/webhook-path";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import type { MemoryLimits } from "../../store/events/duplicates";
import type { WebhookAuth } from "../../webhook/gates/authenticate";
import type { GateSettings } from "../../webhook/gates/gates";
import type { ReceiverSettings } from "../../webhook/receiver-parts";
import { readNumber, readText } from "../node-red/read-settings";
import { type OptOutConfig, type OptOutSettings, readOptOutSettings } from "./opt-out-settings";

export interface WebhookConfig extends OptOutConfig {
  readonly account: string;
  readonly kind: string;
  /** `all`, or the channel whose statuses use the outputs *delivered* and *failed*. */
  readonly channel: string;
  readonly path: string;
  readonly auth: string;
  readonly headerName: string;
  readonly allowedAddresses: string;
  readonly proxyHops: number | string;
  readonly publicAddress: string;
  readonly acknowledge: string;
  /** Seconds. */
  readonly ackTimeout: number | string;
  /** KiB. */
  readonly sizeLimit: number | string;
  /** Seconds. */
  readonly bodyTimeout: number | string;
  readonly rememberHours: number | string;
  readonly rememberMost: number | string;
}

/** A second secret is accepted too, so that it can be changed without interruption. */
export interface WebhookCredentials {
  readonly secret?: string;
  readonly secondSecret?: string;
  readonly username?: string;
  readonly password?: string;
  readonly secondPassword?: string;
}

export interface WebhookSettings {
  /** Below `httpNodeRoot`. */
  readonly path: string;
  readonly gates: GateSettings;
  readonly receiver: ReceiverSettings;
  readonly memory: MemoryLimits;
  readonly optOuts: OptOutSettings | null;
  /** Without a trailing slash; blank if unknown. */
  readonly publicAddress: string;
  readonly hasSecret: boolean;
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** @throws SetupError BAD_SETTING for a control character, which no service sends */
function readSecret(label: string, typed: string | undefined): string {
  const secret = readText(label, typed);
  if (hasControlCharacter(secret)) {
    throw new SetupError("BAD_SETTING", say("webhook.bad.control", { label }));
  }
  return secret;
}

const present = (values: readonly (string | undefined)[], label: string): string[] =>
  values.map((value) => readSecret(label, value)).filter((value) => value !== "");

function authentication(config: WebhookConfig, credentials: WebhookCredentials): WebhookAuth {
  const method = config.auth;
  if (method === "none") {
    return { method };
  }
  if (method === "basic") {
    const username = readSecret(say("webhook.setting.username"), credentials.username);
    const passwords = present(
      [credentials.password, credentials.secondPassword],
      say("webhook.setting.password"),
    );
    return { method, users: username === "" ? [] : passwords.map((password) => ({ username, password })) };
  }
  const secrets = present([credentials.secret, credentials.secondSecret], say("webhook.setting.secret"));
  if (method !== "header") {
    return { method: "query", secrets };
  }
  const name = (config.headerName || WEBHOOK_DEFAULTS.headerName).trim().toLowerCase();
  if (!HEADER_NAME.test(name)) {
    throw new SetupError("BAD_SETTING", say("webhook.bad.header-name", { value: quoteValue(name) }));
  }
  return { method, name, secrets };
}

function publicAddress(typed: string): string {
  const address = readText(say("webhook.setting.publicAddress"), typed).trim();
  if (address !== "" && !(/^https?:\/\//i.test(address) && URL.canParse(address))) {
    throw new SetupError("BAD_SETTING", say("webhook.bad.public-address", { value: quoteValue(address) }));
  }
  return withoutEndSlashes(address);
}

/** An unknown value is an error: read as "all", it could start a loop. */
function statusChannel(chosen: string): MessageChannel | null {
  const typed = readText(say("webhook.setting.channel"), chosen).trim().toLowerCase();
  const channel = readMessageChannel(typed);
  if (channel === null && typed !== "" && typed !== "all") {
    throw new SetupError("BAD_SETTING", say("webhook.bad.channel", { value: quoteValue(typed) }));
  }
  return channel;
}

/** @throws SetupError UNRESOLVED_VARIABLE, BAD_SETTING */
export function readWebhookSettings(
  nodeId: string,
  config: WebhookConfig,
  credentials: WebhookCredentials,
): WebhookSettings {
  const number = (name: keyof typeof WEBHOOK_RANGES): number =>
    readNumber(say(`webhook.setting.${name}`), config[name], WEBHOOK_DEFAULTS[name], WEBHOOK_RANGES[name]);
  const auth = authentication(config, credentials);
  const byFlow = config.acknowledge === "flow";
  const path = webhookPath(readText(say("webhook.setting.path"), config.path), nodeId);
  const fault = findPathFormFault(path);
  if (fault !== null) {
    throw new SetupError("BAD_SETTING", say(`webhook.bad.${fault}`, { value: quoteValue(path) }));
  }
  return {
    path,
    gates: {
      auth,
      allowed: readText(say("webhook.setting.allowedAddresses"), config.allowedAddresses),
      proxyHops: number("proxyHops"),
      sizeLimit: number("sizeLimit") * 1024,
      bodyTimeout: number("bodyTimeout") * 1000,
    },
    receiver: {
      kind: config.kind === "status" ? "status" : "inbound",
      channel: config.kind === "status" ? statusChannel(config.channel) : null,
      flowDecidesWithin: byFlow ? number("ackTimeout") * 1000 : null,
    },
    memory: { age: number("rememberHours") * 3_600_000, most: number("rememberMost") },
    optOuts: readOptOutSettings(config),
    publicAddress: publicAddress(config.publicAddress),
    hasSecret: auth.method === "none" || (auth.method === "basic" ? auth.users : auth.secrets).length > 0,
  };
}
