import { type IncomingHttpHeaders, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { CREDENTIALS } from "../../../simulator/sign-in/credentials";

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** One character per byte. */
  readonly body?: string;
}

export interface RawAnswer {
  readonly httpStatus: number;
  readonly headers: IncomingHttpHeaders;
  /** One character per byte. */
  readonly body: string;
}

/** One request on a connection of its own, with nothing added but what HTTP needs. */
export function rawRequest(
  url: string,
  { method = "POST", headers = {}, body }: RawRequest = {},
): Promise<RawAnswer> {
  const open = url.startsWith("https:") ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = open(url, { method, headers, agent: false, ...TRUSTING }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () =>
        resolve({
          httpStatus: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: Buffer.concat(chunks).toString("latin1"),
        }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body === undefined ? undefined : Buffer.from(body, "latin1"));
  });
}

// The certificate of these tests is self-signed.
const TRUSTING = { rejectUnauthorized: false };

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

export const LEGACY_BASIC = basic(CREDENTIALS.username, CREDENTIALS.password);
export const CLIENT_BASIC = basic(CREDENTIALS.clientId, CREDENTIALS.clientSecret);
export const FORM = "application/x-www-form-urlencoded";

/** A form to the SMS endpoint of the account at `url`, with good credentials. */
export function sendForm(
  url: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  return rawRequest(`${url}/rest/smsmessaging/simple`, {
    headers: { authorization: LEGACY_BASIC, "content-type": FORM, ...headers },
    body,
  });
}

/** JSON to the SMS endpoint of the account at `url`, with good credentials. */
export function sendJson(
  url: string,
  value: unknown,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  return rawRequest(`${url}/rest/smsmessaging/text`, {
    headers: {
      authorization: LEGACY_BASIC,
      "content-type": "application/json",
      accept: "application/json",
      ...headers,
    },
    body: Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("latin1"),
  });
}

/** The bytes of a good send by form, for tests that look at the connection itself. */
export function rawSend(recipient: string): string {
  const body = `recipientAddressList=${recipient}&messageContent=x`;
  const head = [
    "POST /rest/smsmessaging/simple HTTP/1.1",
    "host: 127.0.0.1",
    `authorization: ${LEGACY_BASIC}`,
  ];
  return [...head, `content-type: ${FORM}`, `content-length: ${body.length}`, "", body].join("\r\n");
}

/** A token request to the account at `url`. */
export function askToken(url: string, body: string, authorization = CLIENT_BASIC): Promise<RawAnswer> {
  return rawRequest(`${url}/oauth/token`, { headers: { authorization, "content-type": FORM }, body });
}

/** A fresh token with this scope, for the account at `url`, as the value of the header Authorization. */
export async function bearer(url: string, scope: string): Promise<string> {
  const { body } = await askToken(url, `grant_type=client_credentials&scope=${scope}`);
  return `Bearer ${JSON.parse(body).access_token}`;
}

/** JSON to any endpoint; text is sent as it is. */
export function postJson(url: string, value: unknown, authorization: string): Promise<RawAnswer> {
  return rawRequest(url, {
    headers: { authorization, "content-type": "application/json", accept: "application/json" },
    body: Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("latin1"),
  });
}

/** A part of a multipart body with the file's name and content; one character per byte. */
export function filePart(content: string, fileName = "a.txt", name = "file", type = "text/plain"): string {
  const head = `Content-Disposition: form-data; name="${name}"; filename="${fileName}"`;
  return `${head}\r\nContent-Type: ${type}\r\n\r\n${content}`;
}

/** A multipart body of these parts to any endpoint. */
export function postParts(url: string, parts: readonly string[], authorization: string): Promise<RawAnswer> {
  return rawRequest(url, {
    headers: { authorization, "content-type": "multipart/form-data; boundary=x-y", accept: "*/*" },
    body: `${parts.map((part) => `--x-y\r\n${part}\r\n`).join("")}--x-y--\r\n`,
  });
}

/** An answer with its body as fields. */
export interface JsonAnswer extends RawAnswer {
  /** Empty for a body that is neither a form nor JSON. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Decodes the body of an answer; the numbers of a form become numbers. */
export function parseAnswer(answer: RawAnswer): JsonAnswer {
  const type = answer.headers["content-type"] ?? "";
  if (type.includes("json")) {
    return { ...answer, fields: JSON.parse(Buffer.from(answer.body, "latin1").toString()) };
  }
  const pairs = type.startsWith(FORM) ? [...new URLSearchParams(answer.body)] : [];
  return {
    ...answer,
    fields: Object.fromEntries(
      pairs.map(([name, text]) => [name, /^\d{1,9}$/.test(text) ? Number(text) : text]),
    ),
  };
}

/** A control request with the control token; `value` is the JSON of the answer. */
export async function sendControl(
  { url, controlToken }: { readonly url: string; readonly controlToken: string },
  method: string,
  path: string,
  value?: unknown,
  headers: Record<string, string> = {},
): Promise<RawAnswer & { readonly value: ReturnType<typeof JSON.parse> }> {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const answer = await rawRequest(`${url}/_sim/${path}`, {
    method,
    headers: { "x-simulator-token": controlToken, "content-type": "application/json", ...headers },
    ...(value === undefined ? {} : { body: Buffer.from(text).toString("latin1") }),
  });
  return { ...answer, value: parseAnswer(answer).fields };
}

/** Resolves as soon as the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}
