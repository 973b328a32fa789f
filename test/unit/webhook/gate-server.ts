import type { IncomingMessage, ServerResponse } from "node:http";
import { acknowledge, refuse } from "../../../lib/webhook/answers";
import { classifyEvent, type EventKind, type ReceiverKind } from "../../../lib/webhook/classify-event";
import { Gates, type GateSettings, type Passed } from "../../../lib/webhook/gates";
import type { RefusalReason } from "../../../lib/webhook/refusals";
import { type LocalServer, startLocalServer } from "../../support/http/local-server";

export const OPEN: GateSettings = {
  auth: { kind: "none" },
  allowed: "",
  proxyHops: 0,
  sizeLimit: 2048,
  bodyTimeout: 5_000,
};

/** What became of a request: where it was refused, or as what it was emitted. */
export type Ending = RefusalReason | EventKind;

/** Settings and kind of the receiver, for each path; what is left out is open. */
export type Doors = Readonly<Record<string, Partial<GateSettings> & { readonly kind?: ReceiverKind }>>;

/** A server that is nothing but gates and answers, with one set of gates for each path. */
export class GateServer {
  readonly endings: Ending[] = [];
  readonly emitted: Passed[] = [];
  /** Requests that reached a handler. */
  requests = 0;
  /** Runs before the gates, as other handlers of a server do. */
  before: ((req: IncomingMessage & { body?: unknown }) => void | Promise<void>) | null = null;
  readonly #doors: ReadonlyMap<string, { readonly kind: ReceiverKind; readonly gates: Gates }>;
  #server!: LocalServer;

  private constructor(doors: Doors) {
    this.#doors = new Map(
      Object.entries(doors).map(([path, { kind = "inbound", ...settings }]) => [
        path,
        { kind, gates: new Gates({ ...OPEN, ...settings }) },
      ]),
    );
  }

  static async start(doors: Doors): Promise<GateServer> {
    const started = new GateServer(doors);
    started.#server = await startLocalServer((req, res) => void started.#take(req, res));
    return started;
  }

  async #take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    this.requests++;
    const door = this.#doors.get((req.url ?? "").replace(/^http:\/\/[^/]*/, "").split("?", 1)[0] ?? "");
    if (door === undefined) {
      res.writeHead(404).end();
      return;
    }
    const waiting = this.before?.(req);
    if (waiting) {
      await waiting;
    }
    const result = await door.gates.pass(req);
    if (!result.ok) {
      this.endings.push(result.reason);
      refuse(req, res, result.reason, door.gates.challenge);
      return;
    }
    this.emitted.push(result);
    this.endings.push(classifyEvent(door.kind, result.value).kind);
    acknowledge(res);
  }

  get port(): number {
    return this.#server.port;
  }

  /** Connections that are open now. */
  connections(): Promise<number> {
    return this.#server.connections();
  }

  /** Forgets what happened. */
  clear(): void {
    this.endings.length = 0;
    this.emitted.length = 0;
    this.requests = 0;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}
