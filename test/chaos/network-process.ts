import { connect, type Socket } from "node:net";
import { type FaultRule, type Incoming, type Simulator, startSimulator } from "../../simulator/index";
import { FaultServer, type SeenRequest } from "../support/http/fault-server";
import { NETWORK_FAULTS, NO_TOKENS, REFUSED } from "./faults";
import { WEBHOOKS } from "./flows";
import { TcpProxy } from "./tcp-proxy";

/**
 * The service, and the network between it and the Node-REDs, in a process that nothing else delays. Two fronts forward requests, the
 * second one for the rated account; a balancer gives events to one Node-RED after another.
 */

export interface SeenAtFront {
  /** Epoch ms. */
  readonly at: number;
  readonly path: string;
  readonly isRated: boolean;
  readonly numbers: readonly string[];
  /** Status code of the whole response, or its HTTP status; null if the client cannot know the outcome. */
  answer: number | null;
  /** The fault that hit it; `client` if the client closed the connection first. */
  lostBy: string | null;
}

export interface NetworkReport {
  readonly requests: readonly SeenAtFront[];
  /** Times in which this process was delayed: requests of those times were noted late. */
  readonly stalls: readonly (readonly [from: number, to: number])[];
  readonly acceptances: readonly Readonly<{ number: string; at: number }>[];
  readonly made: readonly unknown[];
}

export type NetworkCommand =
  | Readonly<{ start: readonly number[] }>
  | Readonly<{ fault: string | null; every: number }>
  | Readonly<{ addFault: FaultRule }>
  | Readonly<{ receive: Incoming }>
  | "clear faults"
  | "count pending events"
  | "report";

/** The service soon delivers an event again, so that a run does not wait for it. */
const RETRIES = { firstRetry: 500, longestRetry: 2_000 };
/** Each n-th delivery of an event is cut before its acknowledgement is read. */
const CUT_EVERY = 7;
const LOG_ENTRIES = 1_000_000;
/** ms between two checks of the clock, and ms of delay that count as a stall. */
const CHECK_MS = 5;
const LATE_MS = 15;

const now = (): number => performance.timeOrigin + performance.now();
const requests: SeenAtFront[] = [];
const stalls: [number, number][] = [];
let fault: string | null = null;
let every = 1;
let count = 0;

let last = now();
setInterval(() => {
  const time = now();
  if (time - last > CHECK_MS + LATE_MS) stalls.push([last, time]);
  last = time;
}, CHECK_MS);

/** @returns the status code of the service, or the HTTP status */
function parseStatus(text: string): number {
  const [, code] = /statusCode"?[=:] *"?(\d+)/.exec(text) ?? [];
  return Number(code ?? text.split(" ")[1]);
}

/** Sends a request to the service. @returns its whole response, empty if the service closes the connection */
function forward({ head, body }: SeenRequest, port: number): Promise<Buffer> {
  const closing = `${head.replace(/\r\nconnection:[^\r]*/i, "")}\r\nconnection: close\r\n\r\n`;
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const socket = connect(port, "127.0.0.1");
    socket.on("data", (piece: Buffer) => pieces.push(piece));
    socket.on("error", () => {});
    socket.once("close", () => {
      const response = Buffer.concat(pieces)
        .toString("latin1")
        .replace(/\r\nconnection: close/i, "");
      resolve(Buffer.from(response, "latin1"));
    });
    socket.write(Buffer.concat([Buffer.from(closing, "latin1"), body]));
  });
}

class Front {
  #server: FaultServer | null = null;
  #port = 0;
  /** The fault that hits the request of each connection, and the request. */
  readonly #hits = new WeakMap<Socket, { fault: string | null; request: SeenAtFront | null }>();

  constructor(
    private readonly service: number,
    private readonly isRated: boolean,
  ) {}

  async listen(): Promise<number> {
    this.#server ??= await FaultServer.start({
      port: this.#port,
      onHead: (request, socket) => {
        const hit = this.#pickFault(request);
        if (!this.#hits.has(socket)) socket.once("close", () => this.#noteClose(socket));
        this.#hits.set(socket, { fault: hit, request: null });
        if (NETWORK_FAULTS[hit ?? ""]?.atHead) void this.#pass(request, socket);
      },
      onRequest: (request, socket) => {
        const hit = this.#hits.get(socket)?.fault ?? "";
        if (!NETWORK_FAULTS[hit]?.atHead) void this.#pass(request, socket);
      },
    });
    this.#port = this.#server.port;
    return this.#port;
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await server?.close();
  }

  #pickFault({ target, headers }: SeenRequest): string | null {
    const isToken = target.includes("/oauth");
    if (fault === NO_TOKENS) return isToken ? "reset before the request is forwarded" : null;
    if (fault === null || fault === REFUSED) return null;
    if (fault === "token refused" && (isToken || !headers.authorization?.startsWith("Bearer"))) return null;
    return ++count % every === 0 ? fault : null;
  }

  #noteClose(socket: Socket): void {
    const { request, fault: hit } = this.#hits.get(socket) ?? {};
    if (request?.answer === null) request.lostBy = hit ?? (fault === REFUSED ? REFUSED : "client");
  }

  async #pass(request: SeenRequest, socket: Socket): Promise<void> {
    if (this.#server !== null) this.#server.heads.length = this.#server.requests.length = 0;
    const text = `${request.target} ${request.body.toString("latin1")}`;
    const numbers = [...new Set(text.match(/417\d{8}/g))];
    const common = { at: now(), path: request.target, isRated: this.isRated, numbers };
    const seen: SeenAtFront = { ...common, answer: null, lostBy: null };
    requests.push(seen);
    const { fault: hit = null } = this.#hits.get(socket) ?? {};
    this.#hits.set(socket, { fault: hit, request: seen });
    const exchange = {
      socket,
      forward: () => forward(request, this.service),
      tell: (bytes: Buffer | string, whole = bytes): void => {
        if (!socket.writable) return;
        seen.answer = parseStatus(String(whole));
        socket.write(bytes);
      },
    };
    if (hit === null) exchange.tell(await exchange.forward());
    else await NETWORK_FAULTS[hit]?.treat(exchange);
  }
}

let simulator: Simulator;
let fronts: readonly Front[] = [];
const urlOf = (port: number): string => `http://127.0.0.1:${port}`;

async function start(nodeReds: readonly number[]): Promise<readonly string[]> {
  simulator = await startSimulator({ logEntries: LOG_ENTRIES, webhooks: RETRIES });
  const events = urlOf(await new TcpProxy(nodeReds).listen());
  for (const kind of ["status", "inbound"] as const) {
    const url = `${events}${WEBHOOKS[kind]}?secret=${WEBHOOKS.secret}`;
    simulator.main.registerWebhook({ kind, url, cutEvery: CUT_EVERY });
  }
  fronts = [false, true].map((isRated) => new Front(simulator.port, isRated));
  return (await Promise.all(fronts.map((front) => front.listen()))).map(urlOf);
}

function report(): NetworkReport {
  const { messages, deliveries } = simulator.main;
  const acceptances = messages.flatMap(({ recipients, at }) =>
    recipients.map((number) => ({ number: number.replace("+", ""), at })),
  );
  return { requests, stalls, acceptances, made: deliveries.map(({ payload }) => payload) };
}

async function run(command: NetworkCommand): Promise<unknown> {
  if (command === "report") return report();
  if (command === "clear faults") return simulator.main.clearFaults();
  if (command === "count pending events") return simulator.main.pendingDeliveries;
  if ("start" in command) return start(command.start);
  if ("addFault" in command) return simulator.main.addFault(command.addFault);
  if ("receive" in command) return simulator.main.receive(command.receive);
  ({ fault, every } = command);
  if (fault === NO_TOKENS) simulator.main.revokeTokens();
  return Promise.all(fronts.map((front) => (fault === REFUSED ? front.close() : front.listen())));
}

process.on("message", (command: NetworkCommand) => {
  void run(command).then((result) => process.send?.(result ?? null));
});
process.once("disconnect", () => process.exit());
