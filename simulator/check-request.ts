import type { IncomingHttpHeaders } from "node:http";
import { authenticate } from "./authenticate";
import { checkContentType } from "./check-content-type";
import type { SimulatorCredentials } from "./credentials";
import { decodeForm, decodeJson, type RawFields, UndecodableError } from "./decode-body";
import type { Draft, Endpoint } from "./endpoint";
import { checkFields, type FieldLimits, type Fields, type Refusal } from "./field-rules";
import type { TokenStore } from "./token-store";

/** A request as it came over the wire. */
export interface WireRequest {
  readonly method: string;
  /** Without the account's prefix and the query. */
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What became of the checks. */
export interface CheckedRequest {
  /** For the log: what could be read, checked or not. */
  readonly seen: Readonly<Record<string, unknown>>;
  readonly fields: Fields;
  /** null for endpoints that send nothing, and when the parameters are not good enough for a message. */
  readonly draft: Draft | null;
  readonly refusal: Refusal | null;
}

/** Who may call, and within which limits. */
export interface CheckContext {
  readonly credentials: SimulatorCredentials;
  readonly tokens: TokenStore;
  readonly limits: FieldLimits;
}

/** All checks in their order: authentication, content type, encoding, parameters one by one, then all together. */
export function checkRequest(
  endpoint: Endpoint,
  request: WireRequest,
  context: CheckContext,
): CheckedRequest {
  const { headers, query, body } = request;
  const early =
    authenticate(endpoint, headers, query, context.credentials, context.tokens) ??
    checkContentType(endpoint, headers, body.length);
  if (early) return { seen: {}, fields: {}, draft: null, refusal: early };

  let raw: RawFields;
  try {
    raw = readParameters(endpoint, query, body);
  } catch (error) {
    if (!(error instanceof UndecodableError)) throw error;
    return { seen: {}, fields: {}, draft: null, refusal: { verdict: null, reason: error.message } };
  }
  const source = endpoint.encoding === "json" ? "json" : "form";
  const { fields, refusal } = checkFields(endpoint.fields, raw, source, context.limits);
  if (refusal) return { seen: flatten(raw), fields, draft: null, refusal };
  if (endpoint.action.kind !== "send") return { seen: fields, fields, draft: null, refusal: null };
  const draft = endpoint.action.draft(fields);
  for (const rule of endpoint.action.rules) {
    const broken = rule(draft, fields);
    if (broken) return { seen: fields, fields, draft, refusal: broken };
  }
  return { seen: fields, fields, draft, refusal: null };
}

function readParameters(endpoint: Endpoint, query: string, body: Buffer): RawFields {
  const fromQuery = decodeForm(query);
  if (endpoint.auth === "legacy") fromQuery.delete("access_token");
  switch (endpoint.encoding) {
    case "query":
      return fromQuery;
    case "form-or-query":
      return decodeForm(body.toString("latin1"), fromQuery);
    case "form":
      refuseQuery(fromQuery);
      return decodeForm(body.toString("latin1"));
    case "json":
      refuseQuery(fromQuery);
      return decodeJson(body);
  }
}

function refuseQuery(query: RawFields): void {
  const [name] = query.keys();
  if (name !== undefined) throw new UndecodableError(`unknown query parameter "${name}"`);
}

function flatten(raw: RawFields): Record<string, unknown> {
  return Object.fromEntries(
    [...raw].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}
