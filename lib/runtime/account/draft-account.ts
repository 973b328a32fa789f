import { z } from "zod";
import { parseServiceAddress } from "../../gateway/http/service-address";
import type { AccountConfig } from "./account-settings";
import type { Secret, SecretDestination } from "./stored-secrets";

/** Longer ones are no settings; a dialog cannot be meant. */
const LONGEST = 4_000;
const text = z.string().max(LONGEST);
const blank = text.default("");
const numeric = z.union([z.number(), text]).optional();

/** An account as its open dialog holds it, sent along with a request to test it. */
export const draftAccount = z.object({
  config: z.object({
    service: z.enum(["simulator", "service"]),
    serviceAddress: blank,
    tokenAddress: blank,
    // Anything else is read as the first one, as it is of a deployed account.
    legacyAuth: z.enum(["basic", "token-header", "token-query", "none"]).catch("basic"),
    tls: blank,
    proxy: blank,
    connectTimeout: numeric,
    answerTimeout: numeric,
  }),
  credentials: z.object({
    username: blank,
    password: blank,
    accessToken: blank,
    clientId: blank,
    clientSecret: blank,
  }),
});
export type DraftAccount = z.infer<typeof draftAccount>;

/** The value of a setting whose whole text is `${NAME}`; as it is where there is no such variable. */
export type ReplaceVariable = (typed: string) => string;

/**
 * What Node-RED does to a deployed account's settings. Credentials are left alone until it is clear where they go.
 */
export function replaceVariables(
  { config, credentials }: DraftAccount,
  replace: ReplaceVariable,
): DraftAccount {
  const replaced = Object.entries(config).map(([name, value]) => [
    name,
    typeof value === "string" ? replace(value) : value,
  ]);
  return { config: Object.fromEntries(replaced) as DraftAccount["config"], credentials };
}

/** The secrets that a test of this account would use. */
export function neededSecrets({ config, credentials }: DraftAccount): Secret[] {
  if (config.service !== "service") {
    return [];
  }
  const legacy: Readonly<Record<DraftAccount["config"]["legacyAuth"], readonly Secret[]>> = {
    basic: ["username", "password"],
    "token-header": ["accessToken"],
    "token-query": ["accessToken"],
    none: [],
  };
  const asClient = credentials.clientId !== "" || credentials.clientSecret !== "";
  return [...legacy[config.legacyAuth], ...(asClient ? (["clientId", "clientSecret"] as const) : [])];
}

function spelledAlike(typed: string): string | null {
  try {
    const { origin, basePath } = parseServiceAddress("", typed);
    return origin + basePath;
  } catch {
    return null;
  }
}

/** Where an account's secrets go. */
export function secretDestinationOf({
  serviceAddress = "",
  tokenAddress = "",
  tls = "",
  proxy = "",
}: Pick<AccountConfig, "serviceAddress" | "tokenAddress" | "tls" | "proxy">): SecretDestination {
  const service = spelledAlike(serviceAddress);
  return { service, token: tokenAddress.trim() === "" ? service : spelledAlike(tokenAddress), tls, proxy };
}
