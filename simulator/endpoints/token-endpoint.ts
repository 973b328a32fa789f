import { writeError } from "./answer-writers";
import { LEGACY_CODES } from "./codes";
import type { Endpoint } from "./endpoint";
import type { FieldCheck } from "../rules/field-rules";
import { jsonReply, withHeaders } from "./reply";

export const SCOPES = ["messaging:whatsapp", "messaging:rcs", "media:create", "media:read"] as const;

const knownScopes: FieldCheck<string> = (text) =>
  text.split(" ").every((scope) => (SCOPES as readonly string[]).includes(scope))
    ? null
    : { reason: `must be scopes separated by single spaces, each one of ${SCOPES.join(", ")}` };

const clientCredentials: FieldCheck<string> = (type) =>
  type === "client_credentials" ? null : { reason: "must be client_credentials" };

export const TOKEN_ENDPOINT: Endpoint = {
  id: "token",
  method: "POST",
  path: "/oauth/token",
  auth: "client",
  scope: null,
  encoding: "form",
  charset: "utf-8",
  codes: LEGACY_CODES,
  fields: [
    {
      name: "grant_type",
      type: "text",
      missing: "invalid_request",
      invalid: "unsupported_grant_type",
      check: clientCredentials,
    },
    {
      name: "scope",
      type: "text",
      missing: "invalid_request",
      invalid: "invalid_scope",
      check: knownScopes,
    },
  ],
  write: writeError,
  action: {
    kind: "answer",
    reply: (fields, { tokens, tokenLifetime }) =>
      withHeaders(
        jsonReply(200, {
          access_token: tokens.issue(String(fields.scope).split(" ")),
          token_type: "bearer",
          expires_in: tokenLifetime,
        }),
        { "cache-control": "no-store" },
      ),
  },
};
