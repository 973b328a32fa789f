import type { IncomingMessage } from "node:http";
import type { RefusalReason } from "./refusals";

export interface BodyLimits {
  readonly size: number;
  readonly time: number;
}

export function readBody(
  req: IncomingMessage,
  limits: BodyLimits,
  done: (body: Buffer | RefusalReason) => void,
): void {
  const before = readBefore(req, limits.size);
  if (before !== null) {
    done(before);
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const end = (body: Buffer | RefusalReason): void => {
    clearTimeout(timer);
    req.off("data", take).off("end", complete).off("error", abort).off("close", abort);
    done(body);
  };
  const take = (chunk: Buffer | string): void => {
    // A text if an earlier handler has set an encoding.
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, req.readableEncoding ?? "utf8") : chunk;
    size += bytes.length;
    if (size > limits.size) {
      end("too-large");
    } else {
      chunks.push(bytes);
    }
  };
  const complete = (): void =>
    end(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
  const abort = (): void => end("aborted");
  const timer = setTimeout(() => end("slow-body"), limits.time);
  req.on("data", take).on("end", complete).on("error", abort).on("close", abort);
  // An earlier handler may have paused the stream, and a listener alone does not resume it.
  req.resume();
}

function readBefore(req: IncomingMessage, sizeLimit: number): Buffer | RefusalReason | null {
  if (req.readableEnded) {
    return consumedBody(req, sizeLimit);
  }
  if (req.destroyed) {
    return "aborted";
  }
  if (!req.readableDidRead) {
    return null;
  }
  // Two readers get only parts.
  return req.complete && req.readableLength === 0 ? consumedBody(req, sizeLimit) : "body-taken";
}

function consumedBody(
  { body, headers }: IncomingMessage & { body?: unknown },
  sizeLimit: number,
): Buffer | RefusalReason {
  const bytes =
    body instanceof Uint8Array
      ? Buffer.from(body.buffer, body.byteOffset, body.byteLength)
      : typeof body === "string"
        ? Buffer.from(body)
        : serialised(body, headers["content-length"]);
  return typeof bytes !== "string" && bytes.length > sizeLimit ? "too-large" : bytes;
}

function serialised(body: unknown, declared: string | undefined): Buffer | RefusalReason {
  // A parser leaves an empty object for an unread body, which must not be acknowledged.
  if (declared !== "2" && isEmptyObject(body)) {
    return "body-taken";
  }
  try {
    const text = JSON.stringify(body) as string | undefined;
    return text === undefined ? "body-taken" : Buffer.from(text);
  } catch {
    // Circular or too deep, so the original body is lost.
    return "body-taken";
  }
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
