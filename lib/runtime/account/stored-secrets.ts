import { variableName } from "../../shared/variable-name";
import { STAND_IN } from "../../shared/stand-in";

/** The credentials of an account. The user name counts as a secret because it may be a variable that holds one. */
export const SECRETS = [
  "username",
  "password",
  "accessToken",
  "clientId",
  "clientSecret",
  "storeUrl",
] as const;
export type Secret = (typeof SECRETS)[number];

/** Where secrets are sent. Variables are replaced, addresses normalised. */
export interface SecretDestination {
  /** Origin and path; null for an invalid address. */
  readonly service: string | null;
  /** Origin and path; null for an invalid address. */
  readonly token: string | null;
  /** A proxy together with weak TLS settings could read secrets. */
  readonly tls: string;
  readonly proxy: string;
  /** The address of the database is part of its secret, the URL. */
  readonly storeTls: string;
}

export type SecretTexts = Readonly<Partial<Record<Secret, string>>>;

export type ChosenSecrets =
  | { readonly secrets: SecretTexts; readonly retype?: never }
  | { readonly secrets?: never; readonly retype: readonly Secret[] };

const isStored = (typed: string): boolean => typed === STAND_IN || variableName(typed) !== null;

/** Chooses secrets for a test. Stored ones go only to their deployed destination, so a user cannot redirect them. */
export function chooseSecrets(
  draft: SecretTexts,
  needed: readonly Secret[],
  destination: SecretDestination,
  deployed: { readonly destination: SecretDestination; readonly secrets: SecretTexts } | null,
): ChosenSecrets {
  const retype: Secret[] = [];
  const secrets: Partial<Record<Secret, string>> = {};
  for (const name of needed) {
    const text = draft[name] ?? "";
    if (
      isStored(text) &&
      !(deployed !== null && hasDeployedDestination(name, destination, deployed.destination))
    ) {
      retype.push(name);
    } else {
      secrets[name] = text === STAND_IN ? (deployed?.secrets[name] ?? "") : text;
    }
  }
  return retype.length > 0 ? { retype } : { secrets };
}

function hasDeployedDestination(
  name: Secret,
  destination: SecretDestination,
  deployed: SecretDestination,
): boolean {
  if (name === "storeUrl") {
    return destination.storeTls === deployed.storeTls;
  }
  const service = name === "clientId" || name === "clientSecret" ? "token" : "service";
  return (
    destination[service] !== null &&
    destination[service] === deployed[service] &&
    destination.tls === deployed.tls &&
    destination.proxy === deployed.proxy
  );
}
