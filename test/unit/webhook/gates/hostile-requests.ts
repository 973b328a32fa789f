import type { Endpoints } from "./gate-server";
import { MESSAGE } from "../sample-events";

/** Bytes that a body may have on most paths. */
export const LIMIT = 2048;
export const SECRET = "right-secret-0123456789";
export const SECOND = "old/secret+with signs&=é";

const USERS = [SECRET, "pass:word é", ""].map((password) => ({ username: "hook", password }));

/** A set of gates for each path. */
export const ENDPOINTS: Endpoints = {
  "/open": {},
  "/status": { kind: "status" },
  "/large": { sizeLimit: 1024 * 1024 },
  "/slow": { bodyTimeout: 60 },
  "/query": { auth: { method: "query", secrets: [SECRET, SECOND, ""] } },
  "/unset": { auth: { method: "query", secrets: ["", ""] } },
  "/header": { auth: { method: "header", name: "X-Webhook-Secret", secrets: [SECRET, SECOND] } },
  "/basic": { auth: { method: "basic", users: USERS } },
  "/local-only": { allowed: "127.0.0.0/8, ::1" },
  "/far-only": { allowed: "203.0.113.0/24" },
  "/one-proxy": { allowed: "203.0.113.0/24 2001:db8::/32", proxyHops: 1 },
};

/** UTF-8 with one character for each byte, as all requests here are written. */
export const latin1 = (body: string | Buffer): string => Buffer.from(body as string).toString("latin1");
export const json = (value: unknown): string => latin1(JSON.stringify(value));
export const EVENT = json(MESSAGE);

export const JSON_TYPE = "Content-Type: application/json;charset=UTF-8";
const lengthOf = (body: string): string => `Content-Length: ${body.length}`;

/** A request with exactly these headers after Host. @param line method and target */
export const bare = (line: string, headers: readonly string[] = [], body = ""): string =>
  [`${line} HTTP/1.1`, "Host: x", ...headers, "", body].join("\r\n");

/** A JSON request with a true length. */
export const post = (target: string, body = EVENT, ...headers: string[]): string =>
  bare(`POST ${target}`, [JSON_TYPE, lengthOf(body), ...headers], body);

/** A JSON request that says to have this length. */
export const sayingLength = (length: number | string, body = "", target = "/open"): string =>
  bare(`POST ${target}`, [JSON_TYPE, `Content-Length: ${length}`], body);

export const typed = (type: string, body = EVENT): string =>
  bare("POST /open", [`Content-Type: ${type}`, lengthOf(body)], body);
export const packed = (encoding: string, body: Buffer | string = EVENT): string =>
  post("/open", body.toString("latin1" as never), `Content-Encoding: ${encoding}`);

export const chunk = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n`;
export const chunked = (target: string, chunks: string, ...headers: string[]): string =>
  bare(`POST ${target}`, [JSON_TYPE, "Transfer-Encoding: chunked", ...headers], chunks);

export const withSecret = (secret: string): string => post("/header", EVENT, `X-Webhook-Secret: ${secret}`);
export const basicHeader = (pair: string): string =>
  `Authorization: Basic ${Buffer.from(pair).toString("base64")}`;
export const withBasic = (pair: string): string => post("/basic", EVENT, basicHeader(pair));
export const forwarded = (path: string, value: string): string =>
  post(path, EVENT, `X-Forwarded-For: ${value}`);

/** JSON of this many levels. */
export const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
/** An event of exactly this many bytes. */
export const sized = (bytes: number): string => {
  const frame = json({ ...MESSAGE, filling: "" });
  return frame.replace('"filling":""', `"filling":"${"x".repeat(bytes - frame.length)}"`);
};
