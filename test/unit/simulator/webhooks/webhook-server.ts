import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (response: ServerResponse, call: Call) => void;

/** Answers with this status, body and content type. */
export function answering(httpStatus: number, body: string, type = "application/json"): Answer {
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

  private constructor(
    private readonly server: Server,
    private readonly scheme: string,
  ) {}

  static async start(tls?: { key: string; cert: string }): Promise<WebhookServer> {
    const server = tls ? createTlsServer(tls) : createServer();
    const webhook = new WebhookServer(server, tls ? "https" : "http");
    server.on("connection", (socket) => {
      webhook.connections++;
      webhook.openConnections++;
      socket.on("close", () => webhook.openConnections--);
    });
    server.on("request", (request, response: ServerResponse) => {
      webhook.#now += 1;
      webhook.mostAtOnce = Math.max(webhook.mostAtOnce, webhook.#now);
      response.on("close", () => webhook.#now--);
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { method = "", url: path = "", headers } = request;
        const call = { method, path, headers, body: Buffer.concat(chunks).toString() };
        webhook.calls.push(call);
        webhook.answer(response, call);
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return webhook;
  }

  url(path = "/hook"): string {
    return `${this.scheme}://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** Bodies of the calls, parsed. */
  get events(): Record<string, unknown>[] {
    return this.calls.map(({ body }) => JSON.parse(body));
  }

  reset(): void {
    this.calls.length = 0;
    this.answer = ACKNOWLEDGE;
    this.mostAtOnce = 0;
    this.connections = 0;
  }

  async close(): Promise<void> {
    const closed = once(this.server, "close");
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
