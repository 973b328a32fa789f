import { Socket } from "node:net";
import { OpenError } from "../open-error";

/** First bytes of a server: a request for the password or an error; with TLS its agreement, its refusal, or an error. */
const FIRST_BYTES = { plain: "REv", tls: "SNE" };

/** ms for the server to close a connection. */
const END_TIMEOUT_MS = 1_000;

/** Sockets for the driver, closed if another kind of server responds. */
export class PostgresqlSockets {
  readonly #open = new Set<Socket>();
  #isOtherServer = false;

  /** @param keepsProcess whether this process runs on while a socket is open and nothing else happens */
  constructor(private readonly keepsProcess = true) {}

  /** Why the driver cannot connect: it does not know that a socket was closed here. */
  explain(error: unknown): unknown {
    const isOtherServer = this.#isOtherServer;
    this.#isOtherServer = false;
    return isOtherServer ? new OpenError("STORE_NOT_POSTGRESQL", "") : error;
  }

  add(isTls: boolean): Socket {
    const socket = new Socket();
    if (!this.keepsProcess) {
      socket.unref();
    }
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    socket.once("data", (chunk) => {
      const first = String.fromCharCode(chunk[0] ?? 0);
      const isGreeting = isTls && first !== "E" && chunk.length > 1;
      if (isGreeting || !FIRST_BYTES[isTls ? "tls" : "plain"].includes(first)) {
        this.#isOtherServer = true;
        socket.destroy();
      }
    });
    return socket;
  }

  destroy(): void {
    for (const socket of this.#open) {
      socket.destroy();
    }
  }

  /** Waits for connections to end, and closes them if the server does not respond. */
  async endAfter(ended: Promise<unknown> | undefined): Promise<void> {
    const timer = setTimeout(() => this.destroy(), END_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
    this.destroy();
  }
}
