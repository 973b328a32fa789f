import type { IncomingMessage } from "node:http";
import { foreignPage } from "../../lib/shared/network/foreign-page";
import { isLoopback } from "../util/is-loopback";

export type HostRule = (host: string) => boolean;

const NAME_AND_PORT = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/i;

/** Accepts loopback names and these hosts, each with any port, because ports may be mapped. */
export function hostRule(hosts: readonly string[]): HostRule {
  const known = new Set(hosts.map((host) => bracketed(host.toLowerCase())));
  return (host) => isLoopback(host) || known.has(NAME_AND_PORT.exec(host)?.[1]?.toLowerCase() ?? "");
}

function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

/** Refuses pages of another origin, and pages whose host name resolves to this machine (DNS rebinding). */
export function refuseWebPage(
  { headersDistinct }: Pick<IncomingMessage, "headersDistinct">,
  control: boolean,
  accepts: HostRule,
): string | null {
  const [host, ...more] = headersDistinct.host ?? [];
  if (host === undefined || more.length > 0 || !accepts(host)) {
    return "the simulator accepts loopback host names only; --allow-host permits another one";
  }
  const header = foreignPage(headersDistinct, control ? ["none"] : [], () => false);
  return header && `web pages may not use the simulator (header ${header})`;
}
