import type { IncomingHttpHeaders } from "node:http";
import { authenticate } from "./authenticate";
import { checkContentType } from "./check-content-type";
import type { SimulatorCredentials } from "../sign-in/credentials";
import { decodeForm, decodeJson, type RawFields, UndecodableError } from "../request/decode-body";
import type { Draft, Endpoint } from "./endpoint";
import type { CheckContext } from "../rules/check-context";
import { checkFields, type Fields, type FieldSource, type Refusal } from "../rules/field-rules";
import { matchPath } from "../request/match-path";
import { decodeMultipart } from "../request/multipart";
import type { TokenStore } from "../sign-in/token-store";
import { UploadedFile } from "../request/uploaded-file";

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
  /** For the log; empty where there is a refusal before all parameters were checked. */
  readonly seen: Readonly<Record<string, unknown>>;
  readonly fields: Fields;
  /** null for endpoints that send nothing, and when the parameters are not good enough for a message. */
  readonly draft: Draft | null;
  readonly refusal: Refusal | null;
}

/** Who may call, and what the account has. */
export interface RequestContext {
  readonly credentials: SimulatorCredentials;
  readonly tokens: TokenStore;
  readonly limits: CheckContext;
}

const SOURCES: Readonly<Record<Endpoint["encoding"], FieldSource>> = {
  query: "form",
  form: "form",
  "form-or-query": "form",
  json: "json",
  multipart: "multipart",
};

/** All checks in their order: authentication, content type, encoding, parameters one by one, then all together. */
export function checkRequest(
  endpoint: Endpoint,
  request: WireRequest,
  context: RequestContext,
): CheckedRequest {
  const { headers, query, body } = request;
  const { limits } = context;
  const early =
    authenticate(endpoint, headers, query, context.credentials, context.tokens) ??
    checkContentType(endpoint, headers, body.length);
  if (early) return { seen: {}, fields: {}, draft: null, refusal: early };

  let raw: RawFields;
  try {
    raw = readParameters(endpoint, request);
  } catch (error) {
    if (!(error instanceof UndecodableError)) throw error;
    return { seen: {}, fields: {}, draft: null, refusal: { verdict: null, reason: error.message } };
  }
  const { fields, refusal } = checkFields(endpoint.fields, raw, SOURCES[endpoint.encoding], limits);
  if (refusal) return { seen: {}, fields, draft: null, refusal };
  const checked = { seen: describeFiles(fields), fields };
  if (endpoint.action.kind !== "send") return { ...checked, draft: null, refusal: null };
  const draft = endpoint.action.draft(fields, limits);
  for (const rule of endpoint.action.rules) {
    const broken = rule(draft, fields, limits);
    if (broken) return { ...checked, draft, refusal: broken };
  }
  return { ...checked, draft, refusal: null };
}

function readParameters(endpoint: Endpoint, { path, query, headers, body }: WireRequest): RawFields {
  const fromQuery = decodeForm(query);
  if (endpoint.auth === "legacy") fromQuery.delete("access_token");
  switch (endpoint.encoding) {
    case "query":
      return withPathParameters(endpoint, path, fromQuery);
    case "form-or-query":
      return decodeForm(body.toString("latin1"), fromQuery);
    case "form":
      refuseQuery(fromQuery);
      return decodeForm(body.toString("latin1"));
    case "json":
      refuseQuery(fromQuery);
      return decodeJson(body);
    case "multipart":
      refuseQuery(fromQuery);
      return decodeMultipart(body, headers["content-type"] ?? "");
  }
}

/** A parameter that is in the path must not come by query too: it is then given twice. */
function withPathParameters(endpoint: Endpoint, path: string, query: RawFields): RawFields {
  const all: RawFields = new Map(query);
  for (const [name, value] of Object.entries(matchPath(endpoint.path, path) ?? {})) {
    all.set(name, [value, ...(query.get(name) ?? [])]);
  }
  return all;
}

function refuseQuery(query: RawFields): void {
  const [name] = query.keys();
  if (name !== undefined) throw new UndecodableError(`unknown query parameter "${name}"`);
}

/** The log keeps what a file is called and weighs, not the file. */
function describeFiles(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof UploadedFile ? value.describe() : value,
    ]),
  );
}
