import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Reporter } from "./report/reporter";

/** What a gateway has seen since it was asked last. */
export interface GatewayCounts {
  readonly requests: number;
  /** Connections that were opened. */
  readonly opened: number;
  /** Connections that carried a request. */
  readonly used: number;
  /** Connections open at the same time, those included that nobody used. */
  readonly most: number;
  /** ms for which requests were held on the average; a timer is never early, and mostly a little late. */
  readonly held: number;
}

const HEAD_END = "\r\n\r\n";
const PLAIN = { type: "application/x-www-form-urlencoded", status: "200 OK" };
const JSON_TYPE = { type: "application/json", status: "201 Created" };

const answer = ({ type, status }: typeof PLAIN, body: string): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

const formSent = (transferId: string, smsCount: number): string =>
  answer(
    PLAIN,
    `statusCode=2000&statusMessage=Ok&clientMessageId=bench&transferId=${transferId}&smsCount=${smsCount}`,
  );
const jsonSent = (transferId: string): string =>
  answer(
    JSON_TYPE,
    `{"statusCode":2000,"statusMessage":"Ok","clientMessageId":"bench","transferId":"${transferId}"}`,
  );
const TOKEN = answer(
  { ...JSON_TYPE, status: "200 OK" },
  JSON.stringify({ access_token: "bench-token", token_type: "Bearer", expires_in: 3600 }),
);

/**
 * The service as cheap as it can be made: it reads just enough of HTTP/1.1 to find where a request ends, and accepts
 * everything. An HTTP server proper would cost more than the clients that are to be measured.
 */
export class StubGateway {
  delay = 0;
  /** How often each recipient came, by its number less `FIRST_RECIPIENT`; null while nobody wants to know. */
  seen: Uint8Array | null = null;
  /** Reports each message; null where nobody wants reports. */
  reporter: Reporter | null = null;
  /** Messages that it has accepted, ever. */
  #accepted = 0;
  #requests = 0;
  #opened = 0;
  #open = 0;
  #most = 0;
  #held = 0;
  #used = new Set<Socket>();
  #next: ((at: number) => void)[] = [];

  listen(tls: { readonly key: string; readonly cert: string } | null): Promise<number> {
    const take = (socket: Socket): void => this.#take(socket);
    const server: Server = tls === null ? createServer(take) : createTlsServer(tls, take);
    return new Promise((resolve) => {
      server.listen(0, "127.0.0.1", 1024, () => resolve((server.address() as { port: number }).port));
    });
  }

  /** What it has seen, and begins to count anew. */
  counts(): GatewayCounts {
    const counts = {
      requests: this.#requests,
      opened: this.#opened,
      used: this.#used.size,
      most: this.#most,
      held: this.#held / Math.max(1, this.#requests),
    };
    this.#requests = 0;
    this.#opened = 0;
    this.#used = new Set();
    this.#most = this.#open;
    this.#held = 0;
    return counts;
  }

  /** Resolves with the next request: epoch ms. */
  next(): Promise<number> {
    return new Promise((resolve) => this.#next.push(resolve));
  }

  #take(socket: Socket): void {
    this.#opened++;
    this.#open++;
    this.#most = Math.max(this.#most, this.#open);
    let pending = "";
    socket.setNoDelay(true);
    socket.setEncoding("latin1");
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#open--);
    socket.on("data", (text: string) => {
      pending = pending === "" ? text : pending + text;
      for (;;) {
        const head = pending.indexOf(HEAD_END);
        if (head < 0) {
          return;
        }
        const length = Number(/\r\ncontent-length: *(\d+)/i.exec(pending.slice(0, head))?.[1] ?? 0);
        const end = head + HEAD_END.length + length;
        if (pending.length < end) {
          return;
        }
        this.#answer(socket, pending.slice(0, head), pending.slice(head + HEAD_END.length, end));
        pending = pending.slice(end);
      }
    });
  }

  #answer(socket: Socket, head: string, body: string): void {
    if (head.startsWith("POST /oauth")) {
      socket.write(TOKEN);
      return;
    }
    for (const each of this.#next.splice(0)) {
      each(Date.now());
    }
    this.#requests++;
    this.#used.add(socket);
    if (this.seen !== null) {
      this.#note(body);
    }
    const transferId = (++this.#accepted).toString(16).padStart(12, "0");
    if (this.reporter !== null) {
      this.reporter.report(/(?:^|&)clientMessageId=([^&]*)/.exec(body)?.[1] ?? "", transferId);
    }
    const text = head.startsWith("POST /messaging")
      ? jsonSent(transferId)
      : formSent(transferId, this.seen === null ? 1 : recipientsOf(body).length);
    if (this.delay === 0) {
      socket.write(text);
      return;
    }
    const began = performance.now();
    setTimeout(() => {
      this.#held += performance.now() - began;
      socket.write(text);
    }, this.delay);
  }

  #note(body: string): void {
    for (const number of recipientsOf(body)) {
      const at = Number(number) - FIRST_RECIPIENT;
      const { seen } = this;
      if (seen !== null && at >= 0 && at < seen.length) {
        seen[at] = Math.min(255, (seen[at] ?? 0) + 1);
      } else {
        throw new Error(`a recipient that nobody asked for: ${number}`);
      }
    }
  }
}

/** The first of the numbers that a large message goes to; the others follow it. */
export const FIRST_RECIPIENT = 41_790_000_000;

function recipientsOf(body: string): string[] {
  const list = /(?:^|&)recipientAddressList=([^&]*)/.exec(body)?.[1] ?? "";
  return list.split(/,|%2C/i);
}
