import { z } from "zod";
import { parseServiceAddress } from "../../gateway/http/service-address";
import type { AccountConfig } from "./account-settings";
import type { Secret, SecretDestination } from "./stored-secrets";

const LONGEST = 4_000;
const text = z.string().max(LONGEST);
const blank = text.default("");
const numeric = z.union([z.number(), text]).exactOptional();

export const draftAccount = z.object({
  config: z.object({
    service: z.enum(["simulator", "service"]),
    serviceAddress: blank,
    tokenAddress: blank,
    applicationId: blank,
    // As in a deployed account, other values count as the first one.
    legacyAuth: z.enum(["basic", "token-header", "token-query", "none"]).catch("basic"),
    tls: blank,
    proxy: blank,
    connectTimeout: numeric,
    answerTimeout: numeric,
    keepMessages: text.exactOptional(),
    storeFolder: blank,
    storeSchema: blank,
    storeTls: blank,
    keepDays: numeric,
    snapshotLimit: numeric,
  }),
  credentials: z.object({
    username: blank,
    password: blank,
    accessToken: blank,
    clientId: blank,
    clientSecret: blank,
    storeUrl: blank,
  }),
});
export type DraftAccount = z.infer<typeof draftAccount>;

/** Replaces a text that is `${NAME}` as a whole by the variable's value; other texts and unknown variables stay. */
export type ReplaceVariable = (text: string) => string;

/** Replaces variables in settings as Node-RED does. Credentials stay until their destination is checked. */
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

const LEGACY_SECRETS: Readonly<Record<DraftAccount["config"]["legacyAuth"], readonly Secret[]>> = {
  basic: ["username", "password"],
  "token-header": ["accessToken"],
  "token-query": ["accessToken"],
  none: [],
};

export function neededSecrets({ config, credentials }: DraftAccount): Secret[] {
  const isService = config.service === "service";
  const asClient = isService && (credentials.clientId !== "" || credentials.clientSecret !== "");
  return [
    ...(isService ? LEGACY_SECRETS[config.legacyAuth] : []),
    ...(asClient ? (["clientId", "clientSecret"] as const) : []),
    ...(config.keepMessages === "postgresql" ? (["storeUrl"] as const) : []),
  ];
}

function normalisedAddress(address: string): string | null {
  try {
    const { origin, basePath } = parseServiceAddress("service", address);
    return origin + basePath;
  } catch {
    return null;
  }
}

export function getSecretDestination({
  serviceAddress,
  tokenAddress,
  tls,
  proxy,
  storeTls,
}: Pick<AccountConfig, "serviceAddress" | "tokenAddress" | "tls" | "proxy" | "storeTls">): SecretDestination {
  const service = normalisedAddress(serviceAddress);
  const token = tokenAddress.trim() === "" ? service : normalisedAddress(tokenAddress);
  return { service, token, tls, proxy, storeTls };
}
