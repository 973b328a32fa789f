import type { Socket } from "node:net";
import { errors } from "undici";

type Read = Socket["read"];
type Write = Socket["write"];

/** Bytes of `100 Continue` heads before one response, as large as four ordinary heads. */
const MOST = 64 * 1024;

const HEAD = /^HTTP\/1\.\d 1\d\d[ \r\n]/;
/** Completes a shorter start of a head up to its status. */
const SAMPLE = "HTTP/1.1 100 ";
const FIRST_DIGIT = 9;
const CODE_END = 12;

const ONE = 0x31;
const CR = 0x0d;
const LF = 0x0a;

type Kind = "continue" | "interim" | "final" | "undecided";

function kindAt(bytes: Buffer, at: number): Kind {
  const start = bytes.toString("latin1", at, at + SAMPLE.length);
  const code = start.slice(FIRST_DIGIT, CODE_END);
  // 101 is the last head: the bytes after it are not HTTP.
  if (!HEAD.test(start + SAMPLE.slice(start.length)) || code === "101") {
    return "final";
  }
  if (start.length < SAMPLE.length) {
    return "undecided";
  }
  return code === "100" ? "continue" : "interim";
}

class AnswerStart {
  awaited = false;
  /** Too short to classify. */
  #held: Buffer | null = null;
  #inHead = false;
  #removing = false;
  /** State of the current line of a head. */
  #lineEmpty = false;
  #removed = 0;

  await(): void {
    this.awaited = true;
    this.#held = null;
    this.#inHead = false;
    this.#removed = 0;
  }

  get tooLong(): boolean {
    return this.#removed > MOST;
  }

  /** Returns the bytes that the client may read. */
  take(piece: Buffer): Buffer | null {
    if (this.#held === null && !this.#inHead && piece.length > FIRST_DIGIT && piece[FIRST_DIGIT] !== ONE) {
      this.awaited = false;
      return piece;
    }
    const bytes = this.#held === null ? piece : Buffer.concat([this.#held, piece]);
    this.#held = null;
    const kept: Buffer[] = [];
    for (let at = 0; at < bytes.length && !this.tooLong; ) {
      if (!this.#inHead) {
        const kind = kindAt(bytes, at);
        if (kind === "final") {
          this.awaited = false;
          kept.push(bytes.subarray(at));
          break;
        }
        if (kind === "undecided") {
          this.#held = Buffer.from(bytes.subarray(at));
          break;
        }
        this.#inHead = true;
        this.#lineEmpty = false;
        this.#removing = kind === "continue";
      }
      const end = this.#passHead(bytes, at);
      if (this.#removing) {
        this.#removed += end - at;
      } else {
        kept.push(bytes.subarray(at, end));
      }
      at = end;
    }
    return kept.length > 1 ? Buffer.concat(kept) : (kept[0] ?? null);
  }

  #passHead(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === LF) {
        if (this.#lineEmpty) {
          this.#inHead = false;
          return at + 1;
        }
        this.#lineEmpty = true;
      } else if (byte !== CR) {
        this.#lineEmpty = false;
      }
    }
    return bytes.length;
  }
}

/**
 * Removes `100 Continue` heads, which clients must accept (RFC 9110, 15.2) and undici does not.
 * Scans from the head of a request, which undici writes as text, to the final head of its response.
 * Heads above 64 KiB end the connection with UND_ERR_HEADERS_OVERFLOW.
 */
export function skipContinue<Connection extends Socket>(socket: Connection): Connection {
  const start = new AnswerStart();
  const read: Read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...parameters: unknown[]) => boolean;

  const guard: { read: Read; write: Write } = {
    read: (size) => {
      if (!start.awaited || size !== undefined) {
        return read(size);
      }
      for (;;) {
        const piece = read() as Buffer | null;
        if (piece === null) {
          return null;
        }
        const wanted = start.take(piece);
        if (start.tooLong) {
          socket.destroy(new errors.HeadersOverflowError());
          return null;
        }
        if (wanted !== null) {
          return wanted;
        }
      }
    },
    write: (chunk: unknown, encoding?: unknown, callback?: unknown) => {
      if (typeof chunk === "string" && chunk.charCodeAt(0) !== CR) {
        start.await();
      }
      return write(chunk, encoding, callback);
    },
  };
  return Object.assign(socket, guard);
}
