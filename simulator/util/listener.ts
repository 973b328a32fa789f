import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";

/** Bytes of the request line and the header; a query with a thousand recipients must fit. */
const MAX_HEADER = 65_536;
/** As long as behind common proxies, because requests on a closing connection have an unknown outcome. */
const KEEP_ALIVE = 65_000;

/** A server that tracks its connections: it can be paused, and it closes without waiting for callers. */
export class Listener {
  readonly #server: Server;
  readonly #scheme: "http" | "https";
  /** TCP sockets, also below TLS. */
  readonly #sockets = new Set<Socket>();
  #host = "";
  #port = 0;
  #detached = false;
  #closed = false;
  #stopped: Promise<unknown> = Promise.resolve();

  constructor(tls?: { readonly key: string | Buffer; readonly cert: string | Buffer }) {
    const options = { maxHeaderSize: MAX_HEADER, keepAliveTimeout: KEEP_ALIVE };
    this.#server = tls ? createTlsServer({ ...options, ...tls }) : createServer(options);
    this.#scheme = tls ? "https" : "http";
    this.#server.on("connection", (socket: Socket) => this.#track(socket));
  }

  get openConnections(): number {
    return this.#sockets.size;
  }

  async start(port: number, host: string): Promise<{ readonly url: string; readonly port: number }> {
    this.#host = host;
    this.#port = port;
    await this.#listen();
    this.#port = (this.#server.address() as AddressInfo).port;
    return { url: `${this.#scheme}://${urlHost(host)}:${this.#port}`, port: this.#port };
  }

  serve(handler: RequestListener): void {
    this.#server.on("request", handler);
  }

  async pause(): Promise<void> {
    if (this.#server.listening) {
      this.#stopped = once(this.#server, "close");
      this.#server.close();
      for (const socket of this.#sockets) socket.destroy();
    }
    await this.#stopped;
    // All are destroyed; their close events may follow that of the server.
    this.#sockets.clear();
  }

  async resume(): Promise<void> {
    if (this.#closed) throw new Error("the simulator is closed");
    await this.#stopped;
    if (!this.#server.listening) await this.#listen();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.pause();
  }

  reset(socket: Socket): void {
    // A TLS socket has no reset; the TCP socket below it has the same peer.
    const { remotePort, remoteAddress } = socket;
    for (const raw of this.#sockets) {
      if (raw.remotePort === remotePort && raw.remoteAddress === remoteAddress) raw.resetAndDestroy();
    }
  }

  unref(): void {
    this.#detached = true;
    this.#server.unref();
    for (const socket of this.#sockets) socket.unref();
  }

  async #listen(): Promise<void> {
    const listening = once(this.#server, "listening");
    this.#server.listen(this.#port, this.#host);
    await listening;
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    if (this.#detached) socket.unref();
    socket.once("close", () => this.#sockets.delete(socket));
  }
}

function urlHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
