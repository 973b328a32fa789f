import { withoutEndSlashes } from "../../shared/trim-end";
import { urlPath, webhookPath } from "../../shared/webhook-path";

/** What the address of a webhook is made of. */
export interface WebhookAddress {
  /** Public base address as typed; blank: the address of the editor. */
  readonly publicAddress: string;
  /** Where the browser found the editor, as in `http://localhost:1880`. */
  readonly origin: string;
  /** Node-RED's setting of that name. */
  readonly httpNodeRoot: string | false | undefined;
  readonly path: string;
  readonly nodeId: string;
  /** null where the address carries none. */
  readonly secret: string | typeof HIDDEN_SECRET | null;
}

/** Stands for a secret that is not to be seen. */
export const HIDDEN_SECRET = Symbol("hidden secret");
const DOTS = "\u2022".repeat(8);

/** A variable that the runtime replaces, with the escapes of a path. */
const VARIABLE = /\$%7B(\w+)%7D/g;

/**
 * The whole address that is to be registered at the service, with the escapes that an address needs. A variable
 * (`${NAME}`) stays readable, since only the runtime knows what it stands for.
 */
export function webhookUrl(parts: WebhookAddress): string {
  const path = urlPath(`${parts.httpNodeRoot || ""}/${webhookPath(parts.path, parts.nodeId)}`);
  const { secret } = parts;
  const value = typeof secret === "string" ? encodeURIComponent(secret) : DOTS;
  const query = secret === null ? "" : `?secret=${value}`;
  return `${baseOf(parts.publicAddress.trim() || parts.origin)}${path.replace(VARIABLE, "$${$1}")}${query}`;
}

/** As typed where it is no address yet. */
function baseOf(typed: string): string {
  const { protocol, href } = URL.canParse(typed) ? new URL(typed) : { protocol: "", href: typed };
  return withoutEndSlashes(/^https?:$/.test(protocol) ? href : typed);
}
