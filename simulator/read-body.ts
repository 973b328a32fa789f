import type { IncomingMessage } from "node:http";

/** Largest request body in bytes. */
export const LARGEST_BODY = 1_048_576;

/** Reads a request's body; null when it is larger than allowed. Rejects when the connection is lost meanwhile. */
export async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  // The stream must survive an early return, or there would be no connection left to answer on.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += (chunk as Buffer).length;
    if (length > LARGEST_BODY) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
