import type { IncomingMessage, ServerResponse } from "node:http";
import { acknowledge, refuse } from "../../../../lib/webhook/responses";
import { classifyEvent, type EventKind, type ReceiverKind } from "../../../../lib/webhook/classify-event";
import { Gates, type GateSettings, type Passed } from "../../../../lib/webhook/gates/gates";
import type { RefusalReason } from "../../../../lib/webhook/gates/refusals";
import { type LocalServer, startLocalServer } from "../../../support/http/local-server";

export const OPEN: GateSettings = {
  auth: { method: "none" },
  allowed: "",
  proxyHops: 0,
  sizeLimit: 2048,
  bodyTimeout: 5_000,
};

/** What became of a request: where it was refused, or as what it was emitted. */
export type Ending = RefusalReason | EventKind;

/** Settings and kind of the receiver, for each path; what is left out is open. */
export type Endpoints = Readonly<Record<string, Partial<GateSettings> & { readonly kind?: ReceiverKind }>>;

/** A server that is nothing but gates and answers, with one set of gates for each path. */
export class GateServer {
  readonly endings: Ending[] = [];
  readonly emitted: Passed[] = [];
  /** Runs before the gates, as other handlers of a server do. */
  before: ((req: IncomingMessage & { body?: unknown }) => void | Promise<void>) | null = null;
  readonly #endpoints: ReadonlyMap<string, { readonly kind: ReceiverKind; readonly gates: Gates }>;
  #server!: LocalServer;

  private constructor(endpoints: Endpoints) {
    this.#endpoints = new Map(
      Object.entries(endpoints).map(([path, { kind = "inbound", ...settings }]) => [
        path,
        { kind, gates: new Gates({ ...OPEN, ...settings }) },
      ]),
    );
  }

  static async start(endpoints: Endpoints): Promise<GateServer> {
    const started = new GateServer(endpoints);
    started.#server = await startLocalServer((req, res) => void started.#take(req, res));
    return started;
  }

  async #take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const endpoint = this.#endpoints.get(
      (req.url ?? "").replace(/^http:\/\/[^/]*/, "").split("?", 1)[0] ?? "",
    );
    if (endpoint === undefined) {
      res.writeHead(404).end();
      return;
    }
    const waiting = this.before?.(req);
    if (waiting) {
      await waiting;
    }
    const result = await endpoint.gates.pass(req);
    if (!result.ok) {
      this.endings.push(result.reason);
      refuse(res, result.reason, endpoint.gates.challenge);
      return;
    }
    this.emitted.push(result);
    this.endings.push(classifyEvent(endpoint.kind, result.value).kind);
    acknowledge(res);
  }

  get port(): number {
    return this.#server.port;
  }

  /** Forgets what happened. */
  clear(): void {
    this.endings.length = 0;
    this.emitted.length = 0;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}
