import { withoutEndSlashes } from "../../shared/trim-end";
import { showVariables } from "../../shared/variable-name";
import { urlPath, webhookPath } from "../../shared/network/webhook-path";

export interface WebhookAddress {
  /** Blank: the address of the editor. */
  readonly publicAddress: string;
  /** As in `http://localhost:1880`. */
  readonly origin: string;
  readonly httpNodeRoot: string | false | undefined;
  readonly path: string;
  readonly nodeId: string;
  /** Null for an address without a secret. */
  readonly secret: string | typeof HIDDEN_SECRET | null;
}

export const HIDDEN_SECRET = Symbol("hidden secret");
const DOTS = "\u2022".repeat(8);

/** Escapes the address for registration. A `${NAME}` stays: only the runtime knows its value. */
export function webhookUrl(parts: WebhookAddress): string {
  const path = urlPath(`${parts.httpNodeRoot || ""}/${webhookPath(parts.path, parts.nodeId)}`);
  const { secret } = parts;
  const value = typeof secret === "string" ? encodeURIComponent(secret) : DOTS;
  const query = secret === null ? "" : `?secret=${value}`;
  return `${getBase(parts.publicAddress.trim() || parts.origin)}${showVariables(path)}${query}`;
}

/** Returns an invalid address unchanged. */
function getBase(typed: string): string {
  const { protocol, href } = URL.canParse(typed) ? new URL(typed) : { protocol: "", href: typed };
  return withoutEndSlashes(/^https?:$/.test(protocol) ? href : typed);
}
