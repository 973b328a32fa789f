import type { IncomingMessage } from "node:http";

export const MAX_BODY = 1_048_576;
/** Bytes above the limit that are read and discarded, so that the caller can finish sending and read the answer. */
const MAX_DISCARDED = 1_073_741_824;

/** @returns null if the body is larger */
export async function readBody(request: IncomingMessage, max: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Destroying the stream at an early return would close the connection before the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += (chunk as Buffer).length;
    if (length <= max) chunks.push(chunk as Buffer);
    else chunks.length = 0;
    if (length > max + MAX_DISCARDED) break;
  }
  return length > max ? null : Buffer.concat(chunks);
}
