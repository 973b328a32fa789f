import type { IncomingHttpHeaders } from "node:http";
import { authenticate } from "./authenticate";
import { checkContentType } from "./check-content-type";
import type { SimulatorCredentials } from "../sign-in/credentials";
import { decodeForm, decodeJson, type RawFields, UndecodableError } from "../request/decode-body";
import type { Endpoint } from "./endpoint";
import type { ParsedMessage } from "../messages/records";
import type { CheckContext } from "../rules/field-rules";
import { checkFields, type Fields, type Refusal } from "../rules/field-rules";
import { matchPath } from "../request/match-path";
import { decodeMultipart } from "../request/multipart";
import type { TokenStore } from "../sign-in/token-store";
import { UploadedFile } from "../request/uploaded-file";

export interface WireRequest {
  readonly method: string;
  /** Without the account's prefix and the query. */
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface CheckedRequest {
  readonly logged: Readonly<Record<string, unknown>>;
  readonly fields: Fields;
  /** null for endpoints that send no message, and for invalid parameters. */
  readonly message: ParsedMessage | null;
  readonly refusal: Refusal | null;
}

/** Runs all checks in order: authentication, content type, encoding, single parameters, rules across parameters. */
export async function checkRequest(
  endpoint: Endpoint,
  request: WireRequest,
  credentials: SimulatorCredentials,
  tokens: TokenStore,
  limits: CheckContext,
): Promise<CheckedRequest> {
  const { headers, query, body } = request;
  const early =
    authenticate(endpoint, headers, query, credentials, tokens) ??
    checkContentType(endpoint, headers, body.length);
  if (early) return { logged: {}, fields: {}, message: null, refusal: early };

  let raw: RawFields;
  try {
    raw = await readParameters(endpoint, request);
  } catch (error) {
    if (!(error instanceof UndecodableError)) throw error;
    return { logged: {}, fields: {}, message: null, refusal: { code: null, reason: error.message } };
  }
  const isForm = endpoint.encoding !== "json" && endpoint.encoding !== "multipart";
  const { fields, refusal } = checkFields(endpoint.fields, raw, isForm, limits);
  if (refusal) return { logged: {}, fields, message: null, refusal };
  const checked = { logged: describeFiles(fields), fields };
  if (endpoint.action.kind !== "send") return { ...checked, message: null, refusal: null };
  const message = endpoint.action.parseMessage(fields, limits);
  for (const rule of endpoint.action.rules) {
    const broken = rule(message, fields, limits);
    if (broken) return { ...checked, message, refusal: broken };
  }
  return { ...checked, message, refusal: null };
}

async function readParameters(
  endpoint: Endpoint,
  { path, query, headers, body }: WireRequest,
): Promise<RawFields> {
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

/** Adds path parameters. One that is also in the query counts as repeated. */
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

function describeFiles(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof UploadedFile ? value.describe() : value,
    ]),
  );
}
