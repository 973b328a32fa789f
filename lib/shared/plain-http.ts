import { LOOPBACK_HOST } from "./address-fault";

/** Whether calls of an address travel unencrypted over a network: http, and not only within this computer. */
export function isPlainHttp(address: string): boolean {
  if (!URL.canParse(address)) {
    return false;
  }
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !LOOPBACK_HOST.test(hostname);
}
