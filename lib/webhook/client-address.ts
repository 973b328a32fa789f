import type { IncomingMessage } from "node:http";
import { plainAddress } from "./address-list";

export interface ClientAddress {
  /** Who called as far as anybody can say; blank where not even the connection tells. */
  readonly ip: string;
  /** The address is that of the caller himself, not merely of a proxy. */
  readonly isCertain: boolean;
}

const PORT_OR_BRACKETS = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

/**
 * Who called. Each proxy adds the address it was called from at the right end of X-Forwarded-For, so only as many
 * entries from the right can be believed as there are proxies of our own; the others anybody can make up.
 * @param hops proxies between the caller and this server; 0: the header counts for nothing
 */
export function clientAddress(req: IncomingMessage, hops: number): ClientAddress {
  const peer = plainAddress(req.socket.remoteAddress ?? "");
  if (hops === 0) {
    return { ip: peer ?? "", isCertain: peer !== null };
  }
  const { "x-forwarded-for": header = "" } = req.headers;
  const entries = String(header).split(",");
  // Blank entries keep their place: leaving them out would move what others wrote to where it is believed.
  const entry = (entries[entries.length - hops] ?? "").trim();
  const [, bracketed, withPort] = PORT_OR_BRACKETS.exec(entry) ?? [];
  const caller = plainAddress(bracketed ?? withPort ?? entry);
  return { ip: caller ?? peer ?? "", isCertain: caller !== null };
}
