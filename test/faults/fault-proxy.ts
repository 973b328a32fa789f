import type { Socket } from "node:net";
import type { TlsOptions } from "node:tls";
import { FaultServer, type SeenRequest } from "../support/http/fault-server";
import { Upstream } from "./upstream";

/** What a fault may do with one request. */
export interface Exchange {
  readonly socket: Socket;
  readonly request: SeenRequest;
  /** Hands the request to the gateway. @returns its whole answer. @throws Error (as a rejection) */
  forward(): Promise<Buffer>;
  /** Writes a whole answer that says what the gateway said: from now on the client can know. */
  answer(bytes: Buffer | string): void;
  /** Writes a whole answer from which nobody can tell what the gateway did. */
  mislead(bytes: Buffer | string): void;
  /** Ends the connection while the client may be writing its next request. */
  endInRace(): void;
}

/** How a fault treats a request that it hits. What it does not `answer` leaves the client in the dark. */
export type Treatment = (exchange: Exchange) => void | Promise<void>;

/** One way in which the network between node and gateway can go wrong. */
export interface Disturbance {
  /** Every so many requests are hit. 1: all of them. */
  readonly every: number;
  /** The first bytes of a request are here, nothing was forwarded. */
  readonly onHead?: Treatment;
  /** A whole request is here, nothing was forwarded. */
  readonly onRequest?: Treatment;
}

/** What the proxy knows of one message. */
export interface Traces {
  /** Requests that came in. */
  seen: number;
  forwarded: number;
  /** Requests whose outcome the client has no way to tell. */
  unsure: number;
}

const ID = /clientMessageId"?[=:]"?([\w-]+)/;
const idOf = (text: string): string | null => ID.exec(text)?.[1] ?? null;

/** A request on its way through the proxy. */
interface Passing {
  id: string | null;
  hit: boolean;
  over: boolean;
}

/**
 * Stands between the nodes and a gateway and lets requests through, until it is told to disturb them. It keeps
 * for each `clientMessageId` what became of its requests here, which is what the nodes are judged by.
 */
export class FaultProxy {
  readonly traces = new Map<string, Traces>();
  /** Requests and connections that a disturbance hit. */
  hits = 0;
  /**
   * Connections that were closed while the client may have been writing, or before it could read the answer: each
   * can hide one message that nobody can tell of.
   */
  closedInRace = 0;
  /** How often it stopped to listen. The system closes connections then that it had accepted and this process had not. */
  stops = 0;
  #inFlight = 0;
  #server: FaultServer | null = null;
  #disturbance: Disturbance | null = null;
  #count = 0;
  #port = 0;
  readonly #upstreams = new Map<Socket, Upstream>();
  readonly #passing = new Map<Socket, Passing>();
  /** Told of a message's second request and those after it, before anything is done with it. */
  onRepeat: (id: string) => void = () => {};

  /** @param gateway port on 127.0.0.1, plain HTTP */
  constructor(
    private readonly gateway: number,
    private readonly tls?: TlsOptions,
  ) {}

  get url(): string {
    return `${this.tls ? "https" : "http"}://127.0.0.1:${this.#port}`;
  }

  get sockets(): number {
    return this.#server?.sockets.size ?? 0;
  }

  /** Listens, the second time on the same port as before. */
  async start(as: TlsOptions | "plain" = this.tls ?? "plain"): Promise<void> {
    this.#server = await FaultServer.start({
      ...(as !== "plain" && { tls: as }),
      port: this.#port,
      onHead: (request, socket) => this.#head(request, socket),
      onRequest: (request, socket) => void this.#whole(request, socket),
    });
    this.#port = this.#server.port;
  }

  /** Requests that are neither answered nor seen to be lost. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Refuses connections from now on and ends those that are open. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    this.closedInRace += server?.sockets.size ?? 0;
    this.stops++;
    await server?.close();
    for (const upstream of this.#upstreams.values()) {
      upstream.end();
    }
    this.#upstreams.clear();
  }

  /** Ends all connections and refuses new ones until `meanwhile` is over. */
  async away(meanwhile: () => Promise<unknown>): Promise<void> {
    this.hits++;
    await this.stop();
    await meanwhile();
    await this.start();
  }

  /** Shows another certificate, or speaks no TLS at all, until `meanwhile` is over. */
  async pretend(as: TlsOptions | "plain", meanwhile: () => Promise<unknown>): Promise<void> {
    this.hits++;
    await this.stop();
    await this.start(as);
    await meanwhile();
    await this.stop();
    await this.start();
  }

  disturb(disturbance: Disturbance | null): void {
    this.#disturbance = disturbance;
  }

  /** Forgets what it has seen. */
  clear(): void {
    this.traces.clear();
    this.hits = this.closedInRace = this.stops = this.#count = 0;
  }

  #traceOf(id: string): Traces {
    const known = this.traces.get(id);
    const trace = known ?? { seen: 0, forwarded: 0, unsure: 0 };
    if (known === undefined) {
      this.traces.set(id, trace);
    }
    return trace;
  }

  /** From here on the client has handed its request over. */
  #head(request: SeenRequest, socket: Socket): void {
    if (this.#server !== null) {
      this.#server.heads.length = 0;
    }
    this.#inFlight++;
    const disturbance = this.#disturbance;
    const hit = disturbance !== null && ++this.#count % disturbance.every === 0;
    const passing: Passing = { id: null, hit, over: false };
    if (!this.#passing.has(socket)) {
      socket.once("close", () => {
        this.#lose(this.#passing.get(socket));
        this.#passing.delete(socket);
      });
    }
    this.#passing.set(socket, passing);
    this.#identify(passing, idOf(request.target));
    if (hit && disturbance.onHead !== undefined) {
      this.hits++;
      void disturbance.onHead(this.#exchange(request, socket, passing));
    }
  }

  #identify(passing: Passing, id: string | null): void {
    if (id !== null && passing.id === null) {
      passing.id = id;
      const trace = this.#traceOf(id);
      if (++trace.seen > 1) {
        this.onRepeat(id);
      }
    }
  }

  async #whole(request: SeenRequest, socket: Socket): Promise<void> {
    if (this.#server !== null) {
      this.#server.requests.length = 0;
    }
    const passing = this.#passing.get(socket);
    if (passing === undefined) {
      return;
    }
    this.#identify(passing, idOf(request.body.toString("latin1")));
    if (socket.destroyed || passing.over) {
      return;
    }
    const exchange = this.#exchange(request, socket, passing);
    const treat = passing.hit ? this.#disturbance?.onRequest : undefined;
    try {
      if (treat !== undefined) {
        this.hits++;
        await treat(exchange);
      } else {
        exchange.answer(await exchange.forward());
      }
    } catch {
      socket.destroy();
    }
  }

  #exchange(request: SeenRequest, socket: Socket, passing: Passing): Exchange {
    return {
      socket,
      request,
      forward: async () => {
        if (passing.id !== null) {
          this.#traceOf(passing.id).forwarded++;
        }
        let upstream = this.#upstreams.get(socket);
        if (upstream?.usable !== true) {
          upstream = new Upstream(this.gateway);
          this.#upstreams.set(socket, upstream);
          const ended = upstream;
          socket.once("close", () => {
            ended.end();
            this.#upstreams.delete(socket);
          });
        }
        return upstream.ask(request);
      },
      answer: (bytes) => {
        if (socket.writable && !passing.over) {
          passing.over = true;
          this.#inFlight--;
          socket.write(bytes);
        }
      },
      mislead: (bytes) => {
        this.#lose(passing);
        socket.write(bytes);
      },
      endInRace: () => {
        this.closedInRace++;
        socket.end();
      },
    };
  }

  /** The connection ended without an answer to this request. */
  #lose(passing: Passing | undefined): void {
    if (passing === undefined || passing.over) {
      return;
    }
    passing.over = true;
    this.#inFlight--;
    if (passing.id === null) {
      // Its id stands in a body that was never read.
      this.closedInRace++;
    } else {
      this.#traceOf(passing.id).unsure++;
    }
  }
}
