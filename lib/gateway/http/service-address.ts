import { findAddressFault, LOOPBACK_HOST } from "../../shared/network/address-fault";
import { SetupError } from "../../shared/messaging-error";
import { withoutEndSlashes } from "../../shared/trim-end";
import { say } from "../../texts/say";

export interface ServiceAddress {
  readonly origin: string;
  readonly basePath: string;
  readonly host: string;
  readonly loopback: boolean;
}

/** Never repeats the typed address. @throws SetupError BAD_ADDRESS or INSECURE_ADDRESS */
export function parseServiceAddress(which: "service" | "token", typed: string): ServiceAddress {
  const fault = findAddressFault(typed);
  if (fault !== null) {
    const code = fault === "insecure" ? "INSECURE_ADDRESS" : "BAD_ADDRESS";
    throw new SetupError(code, say(`service.address.${fault}`, { label: say(`service.label.${which}`) }));
  }
  const url = new URL(typed.trim());
  return {
    origin: url.origin,
    basePath: withoutEndSlashes(url.pathname),
    host: url.host,
    loopback: LOOPBACK_HOST.test(url.hostname),
  };
}

/** Removes the brackets of an IPv6 address, which `isIP` refuses. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");
