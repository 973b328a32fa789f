import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Handle = (req: IncomingMessage, res: ServerResponse) => void;

/** Where and how the built-in simulator reaches a node. */
export interface Entrance {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Header that proves a call to come from the built-in simulator. */
export const SIMULATOR_HEADER = "x-messaging-simulator";

/** ms that the door stays open after the last node left, so that a redeploy finds the same address. */
const LINGER = 30_000;

/**
 * The way of the built-in simulator into this process: a server of its own on loopback. The public way may ask
 * for a sign-in, a certificate or a proxy that a simulator knows nothing of, and is not listening yet when flows
 * start; a simulated account has to work without any of that.
 */
class LoopbackEndpoint {
  readonly #handles = new Map<string, Handle>();
  readonly #secret = randomBytes(24).toString("base64url");
  #server: Promise<Server> | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** Lets the simulator in to one node. */
  async open(nodeId: string, handle: Handle): Promise<Entrance> {
    this.#handles.set(nodeId, handle);
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
    this.#server ??= this.#listen();
    try {
      const { port } = (await this.#server).address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/${encodeURIComponent(nodeId)}`;
      return { url, headers: { [SIMULATOR_HEADER]: this.#secret } };
    } catch (error) {
      this.#server = null;
      throw error;
    }
  }

  /** Ends it for one node, unless a successor of the same id has come already. */
  close(nodeId: string, handle: Handle): void {
    if (this.#handles.get(nodeId) === handle) {
      this.#handles.delete(nodeId);
    }
    if (this.#handles.size === 0 && this.#timer === null) {
      this.#timer = setTimeout(() => this.#shut(), LINGER).unref();
    }
  }

  async #listen(): Promise<Server> {
    const server = createServer((req, res) => this.#serve(req, res));
    const listening = once(server, "listening");
    server.listen(0, "127.0.0.1");
    server.unref();
    server.on("connection", (socket) => socket.unref());
    await listening;
    // Such as too many open files: the simulator tries again, and the process goes on.
    server.on("error", () => {});
    return server;
  }

  #shut(): void {
    const server = this.#server;
    this.#server = null;
    this.#timer = null;
    void server?.then((running) => {
      running.close();
      running.closeAllConnections();
    });
  }

  #serve(req: IncomingMessage, res: ServerResponse): void {
    const given = Buffer.from(String(req.headers[SIMULATOR_HEADER] ?? ""));
    const secret = Buffer.from(this.#secret);
    if (given.length !== secret.length || !timingSafeEqual(given, secret)) {
      res.writeHead(401, { connection: "close" }).end();
      return;
    }
    const handle = this.#handles.get(decodeURIComponent((req.url ?? "/").slice(1)));
    if (handle === undefined) {
      // Its node is being deployed anew: the simulator comes again.
      res.writeHead(503, { connection: "close" }).end();
      return;
    }
    handle(req, res);
  }
}

export const loopbackEndpoint = new LoopbackEndpoint();
