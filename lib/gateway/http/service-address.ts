import { type AddressFault, findAddressFault, LOOPBACK_HOST } from "../../shared/address-fault";
import { SetupError } from "../../shared/messaging-error";
import { withoutEndSlashes } from "../../shared/trim-end";

/** A checked address: `origin` as undici wants it, `basePath` without a slash at its end. */
export interface ServiceAddress {
  readonly origin: string;
  readonly basePath: string;
  readonly host: string;
  readonly loopback: boolean;
}

/** Each completes "The <label> …". */
const PROBLEMS: Readonly<Record<AddressFault, string>> = {
  blank: "is empty. Enter it in the account, for example https://api.example.com.",
  "not-a-url": "is not a complete URL. It starts with https://, for example https://api.example.com.",
  "has-credentials":
    "holds a user name or password. Enter those in the credential fields of the account instead.",
  "has-query": "must end before any '?' or '#'.",
  insecure:
    "starts with http://, which sends messages and credentials unencrypted. Use https://; plain http is only for this computer itself (127.0.0.1, localhost).",
};

/**
 * Reads an address typed by a user. Only https is taken; plain http only towards this computer itself.
 * docs/service.md, Services and addresses.
 * @throws SetupError BAD_ADDRESS or INSECURE_ADDRESS; the text never repeats what was typed
 */
export function parseServiceAddress(label: string, typed: string): ServiceAddress {
  const fault = findAddressFault(typed);
  if (fault !== null) {
    const code = fault === "insecure" ? "INSECURE_ADDRESS" : "BAD_ADDRESS";
    throw new SetupError(code, `The ${label} ${PROBLEMS[fault]}`);
  }
  const url = new URL(typed.trim());
  return {
    origin: url.origin,
    basePath: withoutEndSlashes(url.pathname),
    host: url.host,
    loopback: LOOPBACK_HOST.test(url.hostname),
  };
}
