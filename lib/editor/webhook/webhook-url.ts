import { withoutEndSlashes } from "../../shared/trim-end";
import { showVariables } from "../../shared/variable-name";
import { urlPath, webhookPath } from "../../shared/network/webhook-path";

export interface WebhookAddress {
  /** Public base address as typed; blank: the address of the editor. */
  readonly publicAddress: string;
  /** Where the browser found the editor, as in `http://localhost:1880`. */
  readonly origin: string;
  /** Node-RED's setting of that name. */
  readonly httpNodeRoot: string | false | undefined;
  readonly path: string;
  readonly nodeId: string;
  /** null for an address without a secret. */
  readonly secret: string | typeof HIDDEN_SECRET | null;
}

/** A secret that the dialog does not show. */
export const HIDDEN_SECRET = Symbol("hidden secret");
const DOTS = "\u2022".repeat(8);

/**
 * The whole address that is to be registered at the service, with the escapes that an address needs. A variable
 * (`${NAME}`) stays readable, since only the runtime knows its value.
 */
export function webhookUrl(parts: WebhookAddress): string {
  const path = urlPath(`${parts.httpNodeRoot || ""}/${webhookPath(parts.path, parts.nodeId)}`);
  const { secret } = parts;
  const value = typeof secret === "string" ? encodeURIComponent(secret) : DOTS;
  const query = secret === null ? "" : `?secret=${value}`;
  return `${baseOf(parts.publicAddress.trim() || parts.origin)}${showVariables(path)}${query}`;
}

/** Unchanged while it is not a valid address. */
function baseOf(typed: string): string {
  const { protocol, href } = URL.canParse(typed) ? new URL(typed) : { protocol: "", href: typed };
  return withoutEndSlashes(/^https?:$/.test(protocol) ? href : typed);
}
