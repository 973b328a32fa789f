import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { type LocalServer, startLocalServer } from "../support/http/local-server";

/** ms until an event that one Node-RED does not answer is given to the next. */
const PATIENCE = 2_000;
/** ms for which a Node-RED that did not answer gets no events, as long as another one answers. */
const AWAY = 5_000;

/** What a Node-RED said. */
interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/**
 * The address that the service calls with its events: gives each to the next of several Node-REDs, and where that one is away or silent to
 * the one after it, as a load balancer does. What it hears it passes on.
 */
export class WebhookBalancer {
  /** Bodies of events that one Node-RED did not answer in time, and another one got. */
  readonly passedOn = new Set<string>();
  #turn = 0;
  /** When each Node-RED is asked again. */
  readonly #awayUntil = new Map<string, number>();
  #server!: LocalServer;

  /** @param targets addresses of the Node-REDs */
  static async start(targets: readonly string[]): Promise<WebhookBalancer> {
    const balancer = new WebhookBalancer(targets);
    balancer.#server = await startLocalServer((req, res) => void balancer.#handle(req, res));
    return balancer;
  }

  private constructor(private readonly targets: readonly string[]) {}

  get url(): string {
    return this.#server.url;
  }

  close(): Promise<void> {
    return this.#server.stop();
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await buffer(req).catch(() => null);
    if (body === null) return;
    for (const [tried, target] of this.#inTurn().entries()) {
      if (tried > 0) this.passedOn.add(body.toString());
      const answer = await forward(`${target}${req.url ?? ""}`, body);
      if (answer !== null) {
        res.writeHead(answer.status, { "content-type": answer.contentType });
        res.end(answer.body);
        return;
      }
      this.#awayUntil.set(target, performance.now() + AWAY);
    }
    res.writeHead(502).end();
  }

  /** The next one first; those that are away last. */
  #inTurn(): readonly string[] {
    const first = this.#turn++ % this.targets.length;
    const targets = [...this.targets.slice(first), ...this.targets.slice(0, first)];
    const isAway = (target: string): boolean => (this.#awayUntil.get(target) ?? 0) > performance.now();
    return [...targets.filter((each) => !isAway(each)), ...targets.filter(isAway)];
  }
}

/** @returns null where there was no answer */
function forward(url: string, body: Buffer): Promise<Answer | null> {
  return new Promise((resolve) => {
    const calling = request(url, {
      method: "POST",
      agent: false,
      timeout: PATIENCE,
      headers: { "content-type": "application/json", "content-length": body.length },
    });
    calling.once("timeout", () => calling.destroy());
    calling.once("error", () => resolve(null));
    calling.once("close", () => resolve(null));
    calling.once("response", (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.once("end", () =>
        resolve({
          status: response.statusCode ?? 502,
          contentType: response.headers["content-type"] ?? "text/plain",
          body: Buffer.concat(pieces),
        }),
      );
    });
    calling.end(body);
  });
}
