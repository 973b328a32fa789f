import type { Readable } from "node:stream";

/**
 * Reads a stream of at most `most` bytes as UTF-8 text; null where it is longer. The stream is closed afterwards
 * either way, and with 0 nothing of it is read. Rejects with the stream's error.
 */
export async function readStart(stream: Readable, most: number): Promise<string | null> {
  // Closing a stream early raises an error event, which without a listener ends the process.
  stream.on("error", () => {});
  if (most === 0) {
    stream.destroy();
    return null;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) {
      return null;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
