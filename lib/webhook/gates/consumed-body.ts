import type { IncomingMessage } from "node:http";
import type { RefusalReason } from "./refusals";

/**
 * The bytes of a request body whose stream was read before, from what a body parser left in `req.body`. A parsed
 * value is serialised again, so that all bodies are handled alike.
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
        : serialised(body, req.headers["content-length"]);
  return typeof bytes !== "string" && bytes.length > sizeLimit ? "too-large" : bytes;
}

function serialised(body: unknown, declared: string | undefined): Buffer | RefusalReason {
  // A parser leaves an empty object even when it did not read the body. Using it as the event would acknowledge an
  // event that was never read.
  if (declared !== "2" && isEmptyObject(body)) {
    return "body-taken";
  }
  try {
    const text = JSON.stringify(body) as string | undefined;
    return text === undefined ? "body-taken" : Buffer.from(text);
  } catch {
    // Circular or too deeply nested to be serialised: the original body is lost.
    return "body-taken";
  }
}

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}
