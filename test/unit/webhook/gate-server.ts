import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { acknowledge, refuse } from "../../../lib/webhook/answers";
import { classifyEvent, type EventKind, type ReceiverKind } from "../../../lib/webhook/classify-event";
import { Gates, type GateSettings, type Passed } from "../../../lib/webhook/gates";
import type { RefusalReason } from "../../../lib/webhook/refusals";

export const OPEN: GateSettings = {
  auth: { kind: "none" },
  allowed: "",
  proxyHops: 0,
  sizeLimit: 2048,
  bodyTimeout: 5_000,
};

/** What became of a request: where it was refused, or as what it was emitted. */
export type Ending = RefusalReason | EventKind;

interface Door {
  readonly kind: ReceiverKind;
  readonly gates: Gates;
}

/** A server that is nothing but gates and answers, with one set of gates for each path. */
export class GateServer {
  readonly endings: Ending[] = [];
  readonly emitted: Passed[] = [];
  /** Requests that reached a handler. */
  requests = 0;
  /** Runs before the gates, as other handlers of a server do. */
  before: ((req: IncomingMessage & { body?: unknown }) => void | Promise<void>) | null = null;
  readonly #doors: ReadonlyMap<string, Door>;
  readonly #server: Server;

  private constructor(
    doors: Readonly<Record<string, Partial<GateSettings> & { readonly kind?: ReceiverKind }>>,
  ) {
    this.#doors = new Map(
      Object.entries(doors).map(([path, { kind = "inbound", ...settings }]) => [
        path,
        { kind, gates: new Gates({ ...OPEN, ...settings }) },
      ]),
    );
    this.#server = createServer((req, res) => {
      this.requests++;
      const door = this.#doors.get((req.url ?? "").replace(/^http:\/\/[^/]*/, "").split("?", 1)[0] ?? "");
      if (door === undefined) {
        res.writeHead(404).end();
        return;
      }
      const pass = async (): Promise<void> => {
        const result = await door.gates.pass(req);
        if (!result.ok) {
          this.endings.push(result.reason);
          refuse(req, res, result.reason, door.gates.challenge);
          return;
        }
        this.emitted.push(result);
        this.endings.push(classifyEvent(door.kind, result.value).kind);
        acknowledge(res);
      };
      const waiting = this.before?.(req);
      void (waiting ? waiting.then(pass) : pass());
    });
  }

  static async start(
    doors: Readonly<Record<string, Partial<GateSettings> & { readonly kind?: ReceiverKind }>>,
  ): Promise<GateServer> {
    const started = new GateServer(doors);
    started.#server.listen(0, "127.0.0.1");
    await once(started.#server, "listening");
    return started;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections that are open now. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  /** Forgets what happened. */
  clear(): void {
    this.endings.length = 0;
    this.emitted.length = 0;
    this.requests = 0;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }
}
