import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Handle = (req: IncomingMessage, res: ServerResponse) => void;

interface LoopbackAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const SIMULATOR_HEADER = "x-messaging-simulator";

/** Milliseconds that the endpoint outlives its last node, so that a redeploy gets the same address. */
const LINGER = 30_000;

/** The simulator's own way to webhooks: Node-RED's server may require a sign-in or TLS, and listens too late. */
class LoopbackEndpoint {
  readonly #handles = new Map<string, Handle>();
  readonly #secret = randomBytes(24).toString("base64url");
  readonly headers = { [SIMULATOR_HEADER]: this.#secret };
  #server: Promise<Server> | null = null;
  #timer: NodeJS.Timeout | null = null;

  async open(nodeId: string, handle: Handle): Promise<LoopbackAddress> {
    this.#handles.set(nodeId, handle);
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
    this.#server ??= this.#listen();
    try {
      const { port } = (await this.#server).address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/${encodeURIComponent(nodeId)}`;
      return { url, headers: this.headers };
    } catch (error) {
      this.#server = null;
      throw error;
    }
  }

  /** Closes the endpoint for one node, unless a successor with the same id has opened it. */
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
    // For example too many open files: the simulator retries.
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

  isCaller({ headers }: IncomingMessage): boolean {
    const given = Buffer.from(String(headers[SIMULATOR_HEADER] ?? ""));
    const secret = Buffer.from(this.#secret);
    return given.length === secret.length && timingSafeEqual(given, secret);
  }

  #serve(req: IncomingMessage, res: ServerResponse): void {
    if (!this.isCaller(req)) {
      res.writeHead(401, { connection: "close" }).end();
      return;
    }
    const handle = this.#handles.get(decodeURIComponent((req.url ?? "/").slice(1)));
    if (handle === undefined) {
      // The node is being redeployed: the simulator retries.
      res.writeHead(503, { connection: "close" }).end();
      return;
    }
    handle(req, res);
  }
}

export const loopbackEndpoint = new LoopbackEndpoint();
