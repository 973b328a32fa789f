import { isHeader } from "../util/is-header";
import { refuseOthers, requireObject } from "../util/require-fields";
import type { WebhookKind } from "./webhook-records";

/** A webhook to be called. */
export interface NewWebhook {
  readonly kind: WebhookKind;
  /** http or https, wherever it is. What is in it as user, password and query goes out as it stands. */
  readonly url: string;
  /** Sent with every event. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For whoever looks at the list. */
  readonly label?: string;
  /** Instead of the simulator's own setting: every so many-th try is cut; 0 = none. */
  readonly cutEvery?: number;
}

/** Headers that belong to the event itself. */
const OWN_HEADERS = /^(accept|content-type|content-length|transfer-encoding|connection|expect|upgrade)$/i;

/** Checks a webhook that comes from outside and makes a copy. Throws a TypeError that names what is wrong. */
export function parseWebhook(input: unknown): NewWebhook {
  const given = requireObject("webhook", input);
  refuseOthers("webhook", given, ["kind", "url", "headers", "label", "cutEvery"]);
  const { kind, url, headers = {}, label = "", cutEvery } = given;
  if (kind !== "inbound" && kind !== "status") {
    throw new TypeError("webhook: kind must be inbound or status");
  }
  if (typeof url !== "string" || !isWebAddress(url)) {
    throw new TypeError("webhook: url must be an http or https address");
  }
  if (typeof label !== "string") throw new TypeError("webhook: label must be a text");
  if (cutEvery !== undefined && !(Number.isSafeInteger(cutEvery) && Number(cutEvery) >= 0)) {
    throw new TypeError("webhook: cutEvery must be a whole number, 0 or more");
  }
  return {
    kind,
    url,
    headers: parseHeaders(headers),
    label,
    ...(cutEvery === undefined ? {} : { cutEvery: Number(cutEvery) }),
  };
}

function parseHeaders(input: unknown): Record<string, string> {
  const headers = requireObject("webhook headers", input);
  for (const [name, value] of Object.entries(headers)) {
    if (OWN_HEADERS.test(name)) throw new TypeError(`webhook headers: ${name} is not free to choose`);
    if (typeof value !== "string" || !isHeader(name, value)) {
      throw new TypeError(`webhook headers: ${name} is not valid`);
    }
  }
  return headers as Record<string, string>;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
