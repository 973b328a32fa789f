import type { Socket } from "node:net";
import { errors } from "undici";

type Read = Socket["read"];
type Write = Socket["write"];

/** Bytes of `100 Continue` heads before one answer at most; as large as four heads of the HTTP client may be. */
const MOST = 64 * 1024;

const HEAD = /^HTTP\/1\.\d 1\d\d[ \r\n]/;
/** The start of a head up to its status, to complete a shorter start. */
const SAMPLE = "HTTP/1.1 100 ";
const FIRST_DIGIT = 9;
const CODE_END = 12;

const ONE = 0x31;
const CR = 0x0d;
const LF = 0x0a;

type Kind = "continue" | "interim" | "final" | "undecided";

/** What starts at a position: the head of an interim answer, or anything else. */
function kindAt(bytes: Buffer, at: number): Kind {
  const start = bytes.toString("latin1", at, at + SAMPLE.length);
  const code = start.slice(FIRST_DIGIT, CODE_END);
  // 101 is the last head of its answer: the bytes after it are not HTTP.
  if (!HEAD.test(start + SAMPLE.slice(start.length)) || code === "101") {
    return "final";
  }
  if (start.length < SAMPLE.length) {
    return "undecided";
  }
  return code === "100" ? "continue" : "interim";
}

/** The start of one answer, from which heads with status 100 are removed. */
class AnswerStart {
  /** True from the request until the first byte of the final head. */
  awaited = false;
  /** A beginning that is too short to tell what it is. */
  #held: Buffer | null = null;
  #inHead = false;
  #removing = false;
  /** Of the current line of a head. */
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

  /** @returns what the client is to read of these bytes, null where that is nothing */
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

  /** @returns the place after the empty line that ends the head, or after the last byte */
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
 * Takes `100 Continue` heads out of what a connection brings. A client has to bear them also where it did not ask
 * for them (RFC 9110, 15.2); the HTTP client gives the connection up instead. Other interim answers pass.
 *
 * Only the beginning of an answer is looked at: from the head of a request, which the HTTP client writes as a text
 * (bodies are bytes, the framing of chunks begins with a line break), to the first byte of the final head. One
 * request at a time is on a connection. More than 64 KiB of such heads before one answer end the connection with
 * UND_ERR_HEADERS_OVERFLOW.
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
