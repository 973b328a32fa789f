import { connect, type Socket } from "node:net";
import type { SeenRequest } from "../support/http/fault-server";

interface Waiting {
  readonly resolve: (answer: Buffer) => void;
  readonly reject: (error: Error) => void;
}

/** The proxy's way to the real gateway: one connection for each of the client's, one request at a time on it. */
export class Upstream {
  readonly #socket: Socket;
  #pending = Buffer.alloc(0);
  #waiting: Waiting | null = null;

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1");
    this.#socket.on("data", (chunk: Buffer) => {
      this.#pending = Buffer.concat([this.#pending, chunk]);
      this.#look();
    });
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", () => this.#fail(new Error("the gateway closed the connection")));
  }

  get usable(): boolean {
    return !this.#socket.destroyed && !this.#socket.readableEnded;
  }

  /** Hands a request on, byte by byte as it came. @returns the whole answer. @throws Error (as a rejection) */
  ask({ head, body }: SeenRequest): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, "latin1"), body]));
    });
  }

  end(): void {
    this.#socket.destroy();
  }

  #look(): void {
    const end = this.#pending.indexOf("\r\n\r\n");
    const length = /\r\ncontent-length: *(\d+)/i.exec(this.#pending.toString("latin1", 0, Math.max(0, end)));
    if (end < 0 || length === null) {
      return;
    }
    const whole = end + 4 + Number(length[1]);
    if (this.#pending.length >= whole) {
      const answer = this.#pending.subarray(0, whole);
      this.#pending = this.#pending.subarray(whole);
      this.#waiting?.resolve(answer);
      this.#waiting = null;
    }
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = null;
  }
}
