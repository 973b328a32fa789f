import type { IncomingMessage } from "node:http";
import { canonicalAddress } from "../../shared/network/ip-address";

export interface ClientAddress {
  /** Empty for a closed connection. */
  readonly ip: string;
  /** False if the address may be that of a proxy. */
  readonly isCertain: boolean;
}

const PORT_OR_BRACKETS = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

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
  const [, bracketed, withPort] = PORT_OR_BRACKETS.exec(entry) ?? [];
  const caller = canonicalAddress(bracketed ?? withPort ?? entry);
  return { ip: caller ?? peer ?? "", isCertain: caller !== null };
}
