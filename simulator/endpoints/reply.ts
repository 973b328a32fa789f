import { STATUS_CODES } from "node:http";
import type { GeneratedBytes } from "../util/generated-bytes";

/** One complete answer, not yet written. */
export interface Reply {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Goes out instead of `body`: more bytes than should be held in memory. */
  readonly generated?: GeneratedBytes;
  /** The service's own code inside the body; null where the answer has none. */
  readonly statusCode: number | null;
}

/** An answer in JSON. */
export function jsonReply(httpStatus: number, value: unknown, statusCode: number | null = null): Reply {
  return {
    httpStatus,
    headers: { "content-type": "application/json;charset=UTF-8" },
    body: Buffer.from(JSON.stringify(value)),
    statusCode,
  };
}

/** An answer outside the contract: plain text, with the reason in a header too, so that no client can miss it. */
export function refusalReply(httpStatus: number, reason: string): Reply {
  return {
    httpStatus,
    headers: { "content-type": "text/plain;charset=UTF-8", ...reasonHeader(reason) },
    body: Buffer.from(`${reason}\n`),
    statusCode: null,
  };
}

/** Says in a header why something was turned down, where the body has no room for it. */
export function reasonHeader(reason: string): Record<string, string> {
  return { "x-simulator-reason": reason.replace(/[^\x20-\x7e]/g, "?") };
}

/** The same answer with more headers. */
export function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

/** Bytes that follow the header. */
export function bodyLength({ body, generated }: Reply): number {
  return generated?.length ?? body.length;
}

/** Status line and header as bytes of HTTP/1.1, for the faults that write to the socket themselves. */
export function headBytes(reply: Reply): Buffer {
  const head = [
    `HTTP/1.1 ${reply.httpStatus} ${STATUS_CODES[reply.httpStatus] ?? "Unknown"}`,
    ...Object.entries(reply.headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${bodyLength(reply)}`,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1");
}
