import { variableName } from "../../shared/variable-name";
import { STAND_IN } from "../../shared/stand-in";

export { STAND_IN };

/** The credentials of an account. A name is no secret, but a variable that is typed in its place may hold one. */
export const SECRETS = ["username", "password", "accessToken", "clientId", "clientSecret"] as const;
export type Secret = (typeof SECRETS)[number];

/** Where secrets go, and what could read along: variables replaced, addresses in one spelling. */
export interface SecretDestination {
  /** Origin and path of the service; null where it is no address. */
  readonly service: string | null;
  /** The same of the token service. */
  readonly token: string | null;
  /** Ids of configuration nodes, blank for none. A proxy together with lax TLS could read what passes. */
  readonly tls: string;
  readonly proxy: string;
}

export type SecretTexts = Readonly<Partial<Record<Secret, string>>>;

/** The secrets to use, or those that have to be typed before anything may be tried. */
export type ChosenSecrets =
  | { readonly secrets: SecretTexts; readonly retype?: never }
  | { readonly secrets?: never; readonly retype: readonly Secret[] };

/** Whether a secret comes from this side: a stored one, or a variable that stands for one. */
const isKept = (typed: string): boolean => typed === STAND_IN || variableName(typed) !== null;

/**
 * Decides which secrets a connection test may use. What is typed goes where it was typed to go. What is kept on this
 * side goes only the deployed way, so that nobody can have it delivered to an address of their own. Pure.
 * @param typed the dialog's fields; blank where there is none
 * @param needed the secrets that the test would use at all
 * @param deployed null for an account that was never deployed
 */
export function chooseSecrets(
  typed: SecretTexts,
  needed: readonly Secret[],
  way: SecretDestination,
  deployed: { readonly way: SecretDestination; readonly secrets: SecretTexts } | null,
): ChosenSecrets {
  const retype: Secret[] = [];
  const secrets: Partial<Record<Secret, string>> = {};
  for (const name of needed) {
    const text = typed[name] ?? "";
    if (isKept(text) && !(deployed !== null && sameWay(name, way, deployed.way))) {
      retype.push(name);
    } else {
      secrets[name] = text === STAND_IN ? (deployed?.secrets[name] ?? "") : text;
    }
  }
  return retype.length > 0 ? { retype } : { secrets };
}

/** Whether this secret would take the same way as with the deployed account. */
function sameWay(name: Secret, way: SecretDestination, deployed: SecretDestination): boolean {
  const end = name === "clientId" || name === "clientSecret" ? "token" : "service";
  return (
    way[end] !== null &&
    way[end] === deployed[end] &&
    way.tls === deployed.tls &&
    way.proxy === deployed.proxy
  );
}
