import type { IncomingMessage } from "node:http";
import type { RefusalReason } from "./refusals";
import { consumedBody } from "./consumed-body";

export interface BodyLimits {
  /** Bytes. */
  readonly size: number;
  /** ms for all of the body. */
  readonly time: number;
}

/**
 * Reads all of a request's body. Never throws, and always comes to an end: a body that was read before is looked
 * for in `req.body`, one that does not come is given up.
 * @param done called once, perhaps at once
 */
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
    // A text where a handler before us has asked the stream for texts.
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
  // Somebody may have halted the stream on purpose; a new listener alone would not set it going again.
  req.resume();
}

/** What becomes of a body that is not there to be read any more; null for one that is. */
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
  // While somebody else is still reading, each of us has a part at most.
  return req.complete && req.readableLength === 0 ? consumedBody(req, sizeLimit) : "body-taken";
}
