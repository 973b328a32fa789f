import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (response: ServerResponse, call: Call) => void;
type Tls = { readonly key: string; readonly cert: string };

/** Answers with this status, body and content type. */
export function answering(httpStatus: number, body = "", type = "application/json"): Answer {
  return (response) => response.writeHead(httpStatus, { "content-type": type }).end(body);
}

export const ACKNOWLEDGE = answering(200, '{"statusCode":2000,"statusMessage":"OK"}');

/** A client of the service with a webhook; answers with what `answer` is at the moment. */
export class WebhookServer {
  readonly calls: Call[] = [];
  answer: Answer = ACKNOWLEDGE;
  mostAtOnce = 0;
  connections = 0;
  openConnections = 0;
  #now = 0;
  readonly #scheme: string;
  readonly #server;

  constructor(tls?: Tls) {
    this.#scheme = tls ? "https" : "http";
    this.#server = tls ? createTlsServer(tls) : createServer();
    this.#server.on("connection", (socket) => {
      this.connections++;
      this.openConnections++;
      socket.on("close", () => this.openConnections--);
    });
    this.#server.on("request", (request, response: ServerResponse) => {
      this.#now += 1;
      this.mostAtOnce = Math.max(this.mostAtOnce, this.#now);
      response.on("close", () => this.#now--);
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { method = "", url: path = "", headers } = request;
        const call = { method, path, headers, body: Buffer.concat(chunks).toString() };
        this.calls.push(call);
        this.answer(response, call);
      });
    });
  }

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  url(path = "/hook"): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** Bodies of the calls, parsed. */
  get events(): Record<string, unknown>[] {
    return this.calls.map(({ body }) => JSON.parse(body));
  }

  /** Path and body of the calls in alphabetical order. */
  get lines(): string[] {
    return this.calls.map(({ path, body }) => `${path} ${body}`).sort();
  }

  reset(): void {
    this.calls.length = 0;
    this.answer = ACKNOWLEDGE;
    this.mostAtOnce = 0;
    this.connections = 0;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

/** Starts a webhook for the suite that calls this, resets it before each test, and closes it at the end. */
export function useWebhookServer(tls?: Tls): WebhookServer {
  const webhook = new WebhookServer(tls);
  before(() => webhook.listen());
  beforeEach(() => webhook.reset());
  after(() => webhook.close());
  return webhook;
}
