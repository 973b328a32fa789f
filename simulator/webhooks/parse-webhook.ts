import { isHeader } from "../util/is-header";
import { refuseOthers, requireObject } from "../util/require-fields";
import type { WebhookKind } from "./webhook-records";

/** A webhook to register. */
export interface NewWebhook {
  readonly kind: WebhookKind;
  /** HTTP or HTTPS URL on any host. User, password and query are sent unchanged. */
  readonly url: string;
  /** Sent with every event. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Shown in the list of webhooks. */
  readonly label?: string;
  /** Replaces the setting of the simulator: each n-th attempt is cut; 0 for none. */
  readonly cutEvery?: number;
}

/** Headers that the simulator sets itself. */
const RESERVED_HEADERS =
  /^(accept|content-type|content-length|transfer-encoding|connection|expect|upgrade)$/i;

/** Checks an external webhook and copies it. Throws a TypeError that names the problem. */
export function parseWebhook(input: unknown): NewWebhook {
  const given = requireObject("webhook", input);
  refuseOthers("webhook", given, ["kind", "url", "headers", "label", "cutEvery"]);
  const { kind, url, headers = {}, label = "", cutEvery } = given;
  if (kind !== "inbound" && kind !== "status") {
    throw new TypeError("webhook: kind must be inbound or status");
  }
  if (typeof url !== "string" || !isWebAddress(url)) {
    throw new TypeError("webhook: url must be an http or https URL");
  }
  if (typeof label !== "string") throw new TypeError("webhook: label must be a string");
  if (cutEvery !== undefined && !(Number.isSafeInteger(cutEvery) && Number(cutEvery) >= 0)) {
    throw new TypeError("webhook: cutEvery must be an integer of 0 or more");
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
    if (RESERVED_HEADERS.test(name)) throw new TypeError(`webhook headers: ${name} is set by the simulator`);
    if (typeof value !== "string" || !isHeader(name, value)) {
      throw new TypeError(`webhook headers: ${name} is not valid`);
    }
  }
  return headers as Record<string, string>;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
