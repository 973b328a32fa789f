import type { IncomingMessage } from "node:http";
import { isLoopback } from "../util/is-loopback";

/** Decides by the header `Host` whether a request is meant for this simulator. */
export type HostRule = (host: string) => boolean;

const NAME_AND_PORT = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/i;

/**
 * Accepts loopback names and addresses, and these hosts, each with any port: a port may be mapped on the way.
 * @param hosts names or addresses without a port; those that stand for every address of the machine add nothing
 */
export function hostRule(hosts: readonly string[]): HostRule {
  const known = new Set(hosts.map((host) => bracketed(host.toLowerCase())));
  return (host) => isLoopback(host) || known.has(NAME_AND_PORT.exec(host)?.[1]?.toLowerCase() ?? "");
}

function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

/**
 * Keeps web pages out: a page of another origin, and one whose own name was pointed at this machine (DNS rebinding).
 * No client of the service sends what a browser adds. To be asked before anything else of a request is used.
 * @param control whether the path belongs to the controls, which somebody may open in a browser by hand
 * @returns why the request is refused; null for one that is let in
 */
export function refuseWebPage(
  { headers, headersDistinct }: Pick<IncomingMessage, "headers" | "headersDistinct">,
  control: boolean,
  accepts: HostRule,
): string | null {
  const [host, ...more] = headersDistinct.host ?? [];
  if (host === undefined || more.length > 0 || !accepts(host)) {
    return "the simulator answers to a loopback host name only; --allow-host permits another one";
  }
  if (headers.origin !== undefined) return "web pages may not use the simulator (header Origin)";
  const sites = headersDistinct["sec-fetch-site"] ?? [];
  if (sites.some((site) => !control || site !== "none")) {
    return "browsers may not use the simulator (header Sec-Fetch-Site)";
  }
  return null;
}
