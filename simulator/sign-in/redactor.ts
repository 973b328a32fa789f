import type { IncomingHttpHeaders } from "node:http";
import { ISSUED_TOKEN } from "./token-store";

const MASK = "***";
/** Also percent-encoded once more, as in a URL inside a form. */
const SECRET_PARAMETER =
  /(\b|%3F|%26)(access_token|client_secret|password|secret)(=|%3D)(?:(?!%26|%23)[^&#\s])*/gi;
const SECRET_FIELD = /^(access_token|client_secret|password)$/i;
const SECRET_HEADER = /^(authorization|proxy-authorization|cookie|x-simulator-token)$/;

export type Redactor = ReturnType<typeof createRedactor>;

export function createRedactor(secrets: readonly string[]) {
  function text(input: string): string {
    const masked = secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), input);
    return masked.replace(ISSUED_TOKEN, MASK).replace(SECRET_PARAMETER, `$1$2$3${MASK}`);
  }
  function value(input: unknown): unknown {
    if (typeof input === "string") return text(input);
    if (typeof input !== "object" || input === null) return input;
    const masked = Array.isArray(input) ? input.map(value) : record(input);
    // A value without a secret is returned as it is, so that the log does not copy long recipient lists.
    return Object.entries(input).every(([key, each]) => masked[key as keyof typeof masked] === each)
      ? input
      : masked;
  }
  function record(input: object): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(input).map(([name, content]) => [name, SECRET_FIELD.test(name) ? MASK : value(content)]),
    );
  }
  return {
    text,
    json: (input: string) => JSON.stringify(value(JSON.parse(input))),
    fields: record,
    /** The authentication scheme stays. */
    headers: (headers: IncomingHttpHeaders) => {
      const kept: Record<string, string | readonly string[]> = {};
      for (const [name, content] of Object.entries(headers)) {
        if (content === undefined) continue;
        if (SECRET_HEADER.test(name)) kept[name] = String(content).replace(/^(?:(\w+) )?.*$/s, maskScheme);
        else kept[name] = Array.isArray(content) ? content.map(text) : text(content);
      }
      return kept;
    },
  };
}

function maskScheme(_header: string, scheme: string | undefined): string {
  return scheme && /^(basic|bearer)$/i.test(scheme) ? `${scheme} ${MASK}` : MASK;
}
