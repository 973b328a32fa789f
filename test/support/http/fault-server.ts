import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";

/** One request as it came in. */
export interface SeenRequest {
  readonly method: string;
  /** With query. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly head: string;
  /** Empty in `onHead`. */
  readonly body: Buffer;
  /** Which connection it came on, from 1. */
  readonly connection: number;
}

export interface FaultPlan {
  /** A connection was made, through TLS where there is TLS; return true to take it over, unread. */
  readonly onConnection?: (socket: Socket) => boolean;
  /** The head of a request is here, its body perhaps not yet. */
  readonly onHead?: (request: SeenRequest, socket: Socket) => void;
  /** A whole request is here. Without it the server answers `2000`. */
  readonly onRequest?: (request: SeenRequest, socket: Socket) => void;
  readonly tls?: TlsOptions;
  readonly port?: number;
}

/** What the form endpoint says when all is well. */
export const ACCEPTED = "statusCode=2000&statusMessage=OK&transferId=00670eb55d00349e1111&smsCount=1";

/** The bytes of an answer; a `content-length` is added. */
export function answer(status: number, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ "content-length": String(Buffer.byteLength(body)), ...headers });
  return `HTTP/1.1 ${status} Words\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
}

/** A server made of bytes: it counts what comes in and does with the connection whatever a test wants. */
export class FaultServer {
  readonly heads: SeenRequest[] = [];
  readonly requests: SeenRequest[] = [];
  readonly sockets = new Set<Socket>();
  connections = 0;
  /** Requests seen whole and not yet answered; `answered` lowers it. */
  inFlight = 0;
  mostInFlight = 0;
  mostSockets = 0;
  readonly #server: Server;

  private constructor(private readonly plan: FaultPlan) {
    const accept = (socket: Socket): void => this.#accept(socket);
    this.#server = plan.tls ? createTlsServer(plan.tls, accept) : createServer(accept);
    this.#server.on("connection", (socket) => {
      this.sockets.add(socket);
      this.mostSockets = Math.max(this.mostSockets, this.sockets.size);
      socket.on("error", () => {});
      socket.on("close", () => this.sockets.delete(socket));
    });
    this.#server.on("tlsClientError", () => {});
  }

  static start(plan: FaultPlan = {}): Promise<FaultServer> {
    const server = new FaultServer(plan);
    return new Promise((resolve, reject) => {
      server.#server.once("error", reject);
      server.#server.listen(plan.port ?? 0, "127.0.0.1", () => resolve(server));
    });
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  get url(): string {
    return `${this.plan.tls ? "https" : "http"}://127.0.0.1:${this.port}`;
  }

  /** Answers a request that `onRequest` kept. */
  answered(socket: Socket, bytes = answer(200, ACCEPTED)): void {
    this.inFlight--;
    socket.write(bytes);
  }

  #accept(socket: Socket): void {
    const connection = ++this.connections;
    socket.on("error", () => {});
    if (this.plan.onConnection?.(socket)) {
      return;
    }
    let pending = Buffer.alloc(0);
    let head: SeenRequest | null = null;
    socket.on("data", (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      for (;;) {
        if (head === null) {
          const end = pending.indexOf("\r\n\r\n");
          if (end < 0) {
            return;
          }
          head = readHead(pending.subarray(0, end).toString("latin1"), connection);
          pending = pending.subarray(end + 4);
          this.heads.push(head);
          this.plan.onHead?.(head, socket);
        }
        const length = Number(head.headers["content-length"] ?? 0);
        if (pending.length < length) {
          return;
        }
        const request: SeenRequest = { ...head, body: pending.subarray(0, length) };
        pending = pending.subarray(length);
        head = null;
        this.requests.push(request);
        this.inFlight++;
        this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
        if (this.plan.onRequest) {
          this.plan.onRequest(request, socket);
        } else {
          this.answered(socket);
        }
      }
    });
  }

  close(): Promise<void> {
    for (const socket of this.sockets) {
      socket.destroy();
    }
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

function readHead(head: string, connection: number): SeenRequest {
  const [first = "", ...lines] = head.split("\r\n");
  const [method = "", target = ""] = first.split(" ");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const at = line.indexOf(":");
    headers[line.slice(0, at).toLowerCase()] = line.slice(at + 1).trim();
  }
  return { method, target, headers, head, body: Buffer.alloc(0), connection };
}
