import type { IncomingMessage } from "node:http";
import type { RefusalReason } from "./refusals";

/**
 * The body of a request whose stream somebody else has read: what that somebody left in `req.body`, as bytes
 * again. A parsed value is written anew, so that all that follows is the same for every body.
 */
export function consumedBody(
  req: IncomingMessage & { body?: unknown },
  sizeLimit: number,
): Buffer | RefusalReason {
  const { body } = req;
  const bytes = Buffer.isBuffer(body)
    ? body
    : body instanceof Uint8Array
      ? Buffer.from(body.buffer, body.byteOffset, body.byteLength)
      : typeof body === "string"
        ? Buffer.from(body)
        : writtenAnew(body, req.headers["content-length"]);
  return typeof bytes !== "string" && bytes.length > sizeLimit ? "too-large" : bytes;
}

function writtenAnew(body: unknown, declared: string | undefined): Buffer | RefusalReason {
  // Parsers put an empty object there even when they left the body to somebody else. To take that for the event
  // would be to acknowledge one that nobody has seen.
  if (declared !== "2" && isEmptyObject(body)) {
    return "body-taken";
  }
  try {
    const text = JSON.stringify(body) as string | undefined;
    return text === undefined ? "body-taken" : Buffer.from(text);
  } catch {
    // A circle, or nested too deeply to be written: what the service sent is not known any more.
    return "body-taken";
  }
}

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}
