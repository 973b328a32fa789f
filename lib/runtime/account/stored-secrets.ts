import { variableName } from "../../shared/variable-name";
import { STAND_IN } from "../../shared/stand-in";

/** The credentials of an account. A user name counts as a secret, because a variable in its place may hold one. */
export const SECRETS = [
  "username",
  "password",
  "accessToken",
  "clientId",
  "clientSecret",
  "storeUrl",
] as const;
export type Secret = (typeof SECRETS)[number];

/** Where secrets are sent, and through which TLS and proxy settings. Variables are replaced, addresses normalised. */
export interface SecretDestination {
  /** Origin and path of the service; null for an invalid address. */
  readonly service: string | null;
  /** Origin and path of the token service; null for an invalid address. */
  readonly token: string | null;
  /** Ids of configuration nodes, blank for none. A proxy together with weak TLS settings could read secrets. */
  readonly tls: string;
  readonly proxy: string;
  /** The TLS configuration of the database. Its address is part of its secret, the URL. */
  readonly storeTls: string;
}

export type SecretTexts = Readonly<Partial<Record<Secret, string>>>;

/** The secrets to use, or those that the user must enter before the test. */
export type ChosenSecrets =
  | { readonly secrets: SecretTexts; readonly retype?: never }
  | { readonly secrets?: never; readonly retype: readonly Secret[] };

/** Whether a secret comes from this side: a stored one, or a variable that stands for one. */
const isStored = (typed: string): boolean => typed === STAND_IN || variableName(typed) !== null;

/**
 * Decides which secrets a connection test may use. Secrets from the dialog may go to any address. Stored secrets and
 * variables go only to their deployed destination, so that a user cannot send them to another address. Pure.
 * @param draft secrets in the dialog; blank where there are none
 * @param needed the secrets that the test uses
 * @param destination the destination in the dialog's settings
 * @param deployed null for an account that was never deployed
 */
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

/** Whether a secret would go to the same destination as with the deployed account. */
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
