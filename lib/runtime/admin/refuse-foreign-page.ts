import type { IncomingMessage } from "node:http";
import type { NodeAPI } from "node-red";
import { foreignPage } from "../../shared/network/foreign-page";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";

/** The editor, a page of the same site whose origin is compared, and a typed address. */
const SITES = ["same-origin", "same-site", "none"];

const MOST_WARNINGS = 100;

const warned = new Set<string>();

export interface PageRequest extends Pick<IncomingMessage, "headersDistinct"> {
  readonly app?: { get(setting: string): unknown };
  readonly socket?: { readonly remoteAddress?: string | undefined };
}

interface PageResponse {
  status(code: number): { end(): unknown };
}

/** Node-RED answers preflights for every origin, so the header counts only from a proxy that settings trust. */
function trustsCaller({ app, socket }: PageRequest): boolean {
  const trusts = app?.get("trust proxy fn");
  return typeof trusts === "function" && trusts(socket?.remoteAddress, 0) === true;
}

function getHosts(request: PageRequest): readonly string[] {
  const { host = [], "x-forwarded-host": forwarded = [] } = request.headersDistinct;
  const first = trustsCaller(request) ? (forwarded[0]?.split(",", 1)[0]?.trim() ?? "") : "";
  return [...host, first].filter((each) => each !== "");
}

/** True if a page's origin names a host. A host without a port matches any port: proxies leave it out. */
function isAt(origin: string, host: string): boolean {
  const scheme = /^https?:(?=\/\/)/.exec(origin)?.[0];
  const called = `${scheme}//${host}`;
  if (scheme === undefined || !URL.canParse(origin) || !URL.canParse(called)) {
    return false;
  }
  const [page, own] = [new URL(origin), new URL(called)];
  return page.hostname === own.hostname && (page.port === own.port || !/:\d+$/.test(host));
}

/** Refuses pages of other origins with 403: a browser adds the sign-in to their requests. Logs each origin once. */
export const refuseForeignPage =
  ({ log }: Pick<NodeAPI, "log">) =>
  (request: PageRequest, response: PageResponse, next: () => void): void => {
    const hosts = getHosts(request);
    const header = foreignPage(request.headersDistinct, SITES, (origin) =>
      hosts.some((host) => isAt(origin, host)),
    );
    if (header === null) {
      next();
      return;
    }
    const [origin] = request.headersDistinct.origin ?? [];
    if (origin !== undefined && !warned.has(origin) && warned.size < MOST_WARNINGS) {
      warned.add(origin);
      log.warn(say("account.foreign-page", { origin: quoteValue(origin), host: quoteValue(hosts[0] ?? "") }));
    }
    response.status(403).end();
  };
