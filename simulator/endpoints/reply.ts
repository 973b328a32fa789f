import { STATUS_CODES } from "node:http";
import type { GeneratedBytes } from "../util/generated-bytes";

export interface Reply {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Replaces `body` for content that is too large for memory. */
  readonly generated?: GeneratedBytes;
  readonly statusCode: number | null;
}

export function jsonReply(httpStatus: number, value: unknown, statusCode: number | null = null): Reply {
  return {
    httpStatus,
    headers: { "content-type": "application/json;charset=UTF-8" },
    body: Buffer.from(JSON.stringify(value)),
    statusCode,
  };
}

/** An error without a status code (docs/service.md, Status codes): the reason in plain text and in a header. */
export function refusalReply(httpStatus: number, reason: string): Reply {
  return {
    httpStatus,
    headers: { "content-type": "text/plain;charset=UTF-8", ...reasonHeader(reason) },
    body: Buffer.from(`${reason}\n`),
    statusCode: null,
  };
}

export function reasonHeader(reason: string): Record<string, string> {
  return { "x-simulator-reason": reason.replace(/[^\x20-\x7e]/g, "?") };
}

export function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

export function bodyLength({ body, generated }: Reply): number {
  return generated?.length ?? body.length;
}

export function headBytes(reply: Reply): Buffer {
  const head = [
    `HTTP/1.1 ${reply.httpStatus} ${STATUS_CODES[reply.httpStatus] ?? "Unknown"}`,
    ...Object.entries(reply.headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${bodyLength(reply)}`,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1");
}
