import type { Socket } from "node:net";
import { errors } from "undici";

type Read = Socket["read"];
type Write = Socket["write"];

/** Bytes of `100 Continue` heads before one response, as large as four ordinary heads. */
const MAX_HEADS = 64 * 1024;
const START = "HTTP/1.1 100";
const HAS_START = /^HTTP\/1\.\d 100/;
const HEAD = /^HTTP\/1\.\d 100\b(?:[^\n]*\n)+?\r?\n/;
const CR = 0x0d;

/**
 * Removes `100 Continue` heads, which clients must accept (RFC 9110, 15.2) and undici does not.
 * Scans from the head of a request, which undici writes as text, to the first other head of its response.
 * Heads above 64 KiB end the connection with UND_ERR_HEADERS_OVERFLOW.
 */
export function skipContinue<Connection extends Socket>(socket: Connection): Connection {
  /** Received bytes that may begin with such a head, or null after another head. */
  let scanned: Buffer | null = null;
  let size = 0;
  const read: Read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...parameters: unknown[]) => boolean;

  const withoutHeads = (bytes: Buffer): Buffer => {
    let text = bytes.toString("latin1");
    for (let head = HEAD.exec(text); head !== null; head = HEAD.exec(text)) {
      text = text.slice(head[0].length);
    }
    return bytes.subarray(bytes.length - text.length);
  };
  const guard: { read: Read; write: Write } = {
    read: (length) => {
      while (scanned !== null && length === undefined) {
        const piece = read() as Buffer | null;
        if (piece === null) {
          return null;
        }
        size += piece.length;
        scanned = withoutHeads(Buffer.concat([scanned, piece]));
        const start = scanned.toString("latin1", 0, START.length);
        if (!HAS_START.test(start + START.slice(start.length))) {
          const rest = scanned;
          scanned = null;
          return rest;
        }
        if (size > MAX_HEADS) {
          socket.destroy(new errors.HeadersOverflowError());
          return null;
        }
      }
      return read(length);
    },
    write: (chunk: unknown, encoding?: unknown, callback?: unknown) => {
      // Bodies are bytes, and the framing of chunks begins with a line break.
      if (typeof chunk === "string" && chunk.charCodeAt(0) !== CR) {
        scanned = Buffer.alloc(0);
        size = 0;
      }
      return write(chunk, encoding, callback);
    },
  };
  return Object.assign(socket, guard);
}
