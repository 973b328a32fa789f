import { isIPv6 } from "node:net";
import { hasControlCharacter } from "../../shared/characters";
import { SetupError } from "../../shared/messaging-error";
import { say } from "../../texts/say";
import type { ProxySettings } from "../contract/settings";

export interface ProxyRoute {
  readonly url: URL;
  readonly authorization: string | null;
  readonly username: string;
  readonly password: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Matches host and port. `*` matches every host, `.x` and `*.x` match sub-domains. */
function listed(target: URL, list: readonly string[]): boolean {
  const port = target.port || (target.protocol === "https:" ? "443" : "80");
  return list.some((raw) => {
    const entry = raw.trim().toLowerCase();
    if (entry === "*") {
      return true;
    }
    // The colons of a bare IPv6 address are no separators of a port.
    const bracketed = isIPv6(entry) ? `[${entry}]` : entry;
    const [, host = "", wantedPort] = /^(.*?)(?::(\d+))?$/.exec(bracketed) ?? [];
    const domain = host.replace(/^\*?\./, "");
    if (domain === "" || (wantedPort !== undefined && wantedPort !== port)) {
      return false;
    }
    return target.hostname === domain || target.hostname.endsWith(`.${domain}`);
  });
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function route(text: string, username?: string, password?: string): ProxyRoute {
  const withScheme = text.includes("://") ? text : `http://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new SetupError("BAD_PROXY", say("service.proxy.address"));
  }
  const user = username || decoded(url.username);
  const secret = password || decoded(url.password);
  if (hasControlCharacter(user + secret)) {
    throw new SetupError("BAD_PROXY", say("service.control", { label: say("service.proxy.credentials") }));
  }
  // Node.js would send credentials of the URL in a second header.
  url.username = "";
  url.password = "";
  return {
    url,
    authorization: user === "" ? null : `Basic ${Buffer.from(`${user}:${secret}`).toString("base64")}`,
    username: user,
    password: secret,
  };
}

/** Returns the configured proxy or that of the environment, which loopback ignores. @throws SetupError BAD_PROXY */
export function chooseProxy(
  target: URL,
  loopback: boolean,
  configured: ProxySettings | null,
  env: Variables,
): ProxyRoute | null {
  if (configured !== null) {
    return listed(target, configured.noProxy)
      ? null
      : route(configured.url, configured.username, configured.password);
  }
  const read = (name: string): string => env[name] || env[name.toUpperCase()] || "";
  const fromEnvironment =
    read(target.protocol === "https:" ? "https_proxy" : "http_proxy") || read("all_proxy");
  if (loopback || fromEnvironment === "" || listed(target, read("no_proxy").split(/[,\s]+/))) {
    return null;
  }
  return route(fromEnvironment);
}
