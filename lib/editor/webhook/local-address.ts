import { parseAddress } from "../../shared/network/ip-address";

/** Ranges of addresses that the Internet does not reach, as ipaddr.js names them. */
const LOCAL_RANGES: readonly string[] = [
  "carrierGradeNat",
  "linkLocal",
  "loopback",
  "private",
  "uniqueLocal",
  "unspecified",
];
/** Host names that no public name server resolves (RFC 6761). */
const LOCAL_NAME = /(^|\.)localhost\.?$/i;

/** Whether an address is valid only on this computer or in its private network. */
export function isLocalAddress(address: string): boolean {
  if (!URL.canParse(address)) {
    return false;
  }
  const { hostname } = new URL(address);
  const ip = parseAddress(hostname.replace(/^\[(.*)\]$/, "$1"));
  return ip === null ? LOCAL_NAME.test(hostname) : LOCAL_RANGES.includes(ip.range());
}
