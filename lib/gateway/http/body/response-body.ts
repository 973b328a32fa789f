import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { say } from "../../../texts/say";
import type { LocalFault } from "../../contract/local-outcomes";
import { type ResponseSink, type Transfer, transferFault } from "./transfer";

type Headers = IncomingHttpHeaders | Readonly<Record<string, string | string[] | undefined>>;

export function getHeader(headers: Headers, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

const EMPTY = Buffer.alloc(0);

export class ResponseBody {
  #sink: Promise<ResponseSink> | null = null;
  #limit: number;
  #tooLarge: LocalFault = "ANSWER_UNREADABLE";
  readonly #pieces: Buffer[] = [];
  #size = 0;
  #total: number | null = null;
  #isDiscarded = false;
  #writing = false;

  /** @param largest bytes, except for the file of a transfer */
  constructor(
    largest: number,
    private readonly transfer: Transfer,
    private readonly fail: (fault: LocalFault, detail: string) => void,
  ) {
    this.#limit = largest;
  }

  start(status: number, headers: Headers): void {
    const { limit, sink } = this.transfer;
    if (limit === undefined || status < 200 || status > 299) {
      return;
    }
    this.#limit = limit;
    this.#tooLarge = "FILE_TOO_LARGE";
    const length = getHeader(headers, "content-length");
    this.#total = length === null ? null : Number(length);
    if (this.#total !== null && this.#total > limit) {
      this.fail("FILE_TOO_LARGE", say("service.large.announced", { size: this.#total, limit }));
    } else if (sink !== undefined) {
      const contentType = getHeader(headers, "content-type");
      const contentDisposition = getHeader(headers, "content-disposition");
      this.#sink = sink({ contentType, contentDisposition });
      this.#sink.catch((error: unknown) => this.#sinkFailed(error));
    }
  }

  get waitsForSink(): boolean {
    return this.#writing;
  }

  accept(piece: Buffer, pace: Pick<Dispatcher.DispatchController, "pause" | "resume">): void {
    if (piece.length === 0) {
      // The client emits an empty piece after each pause, so pausing for it would never end.
      return;
    }
    this.#size += piece.length;
    if (this.#size > this.#limit) {
      this.fail(this.#tooLarge, say("service.large.received", { limit: this.#limit }));
      return;
    }
    if (this.#sink === null) {
      // A copy: a piece of one byte can keep its 64 KiB read buffer in memory.
      this.#pieces.push(Buffer.from(piece));
    } else {
      // Stops reading, so that the rest of the file stays at the service.
      pace.pause();
      this.#writing = true;
      this.#sink
        .then((sink) => sink.write(piece))
        .then(
          () => {
            this.#writing = false;
            if (!this.#isDiscarded) {
              pace.resume();
            }
          },
          (error: unknown) => this.#sinkFailed(error),
        );
    }
    this.transfer.progress?.(this.#size, this.#total);
  }

  /** Returns the body at once if there is no sink, and an empty one after a sink. */
  finish(): Buffer | Promise<Buffer> {
    return this.#sink === null
      ? Buffer.concat(this.#pieces)
      : this.#sink.then((sink) => sink.finish()).then(() => EMPTY);
  }

  /** Returns null if nothing has to be removed. */
  discard(): Promise<void> | null {
    this.#isDiscarded = true;
    return this.#sink?.then((sink) => sink.discard()).catch(() => {}) ?? null;
  }

  #sinkFailed(error: unknown): void {
    const { fault, detail } = transferFault(error);
    this.fail(fault, detail);
  }
}
