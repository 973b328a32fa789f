import type { IncomingMessage } from "node:http";

/** Largest request body in bytes, but for uploads. */
export const LARGEST_BODY = 1_048_576;
/** Bytes beyond the limit that are read and thrown away, so that the caller has sent all and hears the answer. */
const MOST_DISCARDED = 1_073_741_824;

/**
 * Reads a request's body. Rejects when the connection is lost meanwhile.
 * @param most bytes
 * @returns null when the body is larger
 */
export async function readBody(request: IncomingMessage, most: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  // The stream must survive an early return, or there would be no connection left to answer on.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += (chunk as Buffer).length;
    if (length <= most) chunks.push(chunk as Buffer);
    else chunks.length = 0;
    if (length > most + MOST_DISCARDED) break;
  }
  return length > most ? null : Buffer.concat(chunks);
}
