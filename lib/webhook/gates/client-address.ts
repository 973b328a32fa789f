import type { IncomingMessage } from "node:http";
import { canonicalAddress, withoutPort } from "../../shared/network/ip-address";

export interface ClientAddress {
  /** Empty for a closed connection. */
  readonly ip: string;
  /** False if the address may be that of a proxy. */
  readonly isCertain: boolean;
}

/** Proxies append to X-Forwarded-For, so only its last `hops` entries are trusted. @param hops 0 ignores it */
export function clientAddress(req: IncomingMessage, hops: number): ClientAddress {
  const peer = canonicalAddress(req.socket.remoteAddress ?? "");
  if (hops === 0) {
    return { ip: peer ?? "", isCertain: peer !== null };
  }
  const { "x-forwarded-for": header = "" } = req.headers;
  const entries = String(header).split(",");
  // Blank entries stay, because forged entries would move to a trusted place.
  const entry = (entries[entries.length - hops] ?? "").trim();
  const caller = canonicalAddress(withoutPort(entry));
  return { ip: caller ?? peer ?? "", isCertain: caller !== null };
}
