import { parseAddress } from "../../shared/network/ip-address";

/** Not reachable from the Internet; names of ipaddr.js. */
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

export function isLocalAddress(address: string): boolean {
  if (!URL.canParse(address)) {
    return false;
  }
  const { hostname } = new URL(address);
  const ip = parseAddress(hostname.replace(/^\[(.*)\]$/, "$1"));
  return ip === null ? LOCAL_NAME.test(hostname) : LOCAL_RANGES.includes(ip.range());
}
