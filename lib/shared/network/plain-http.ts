import { LOOPBACK_HOST } from "./address-fault";

/** Whether requests to an address are unencrypted on a network: http, except on this computer. */
export function isPlainHttp(address: string): boolean {
  if (!URL.canParse(address)) {
    return false;
  }
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !LOOPBACK_HOST.test(hostname);
}
