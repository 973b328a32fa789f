import { withoutEndSlashes } from "../shared/trim-end";
import { trimPath, webhookPath } from "../shared/webhook-path";

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

/** The whole address that is to be registered at the service. */
export function webhookUrl(parts: WebhookAddress): string {
  const base = withoutEndSlashes(parts.publicAddress.trim() || parts.origin);
  const path = `${trimPath(parts.httpNodeRoot || "")}${webhookPath(parts.path, parts.nodeId)}`;
  const { secret } = parts;
  const value = typeof secret === "string" ? encodeURIComponent(secret) : DOTS;
  const query = secret === null ? "" : `?secret=${value}`;
  return `${base}${path}${query}`;
}
