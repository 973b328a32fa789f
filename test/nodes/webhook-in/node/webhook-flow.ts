import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Node, NodeAPI, NodeMessage } from "node-red";
import helper from "node-red-node-test-helper";
import { logLines } from "../../../node/log-lines";
import { Account } from "../../../../lib/runtime/account/account";
import registerAccount from "../../../../nodes/config/messaging-account";
import registerWhatsApp from "../../../../nodes/whatsapp-send/whatsapp-send";
import registerAck from "../../../../nodes/webhook-ack/webhook-ack";
import registerIn from "../../../../nodes/webhook-in/webhook-in";
import type { RawPost } from "../../../support/http/raw-post";
import { giveHooks } from "../../../support/node-red/runtime-hooks";
import { clearMemory } from "../../../support/store/clear-memory";
import { waitFor } from "../../../support/wait-for";
import { type Config, PortLog } from "../../../node/flow";

export const WEBHOOK = "n-webhook";
export const ACK = "n-ack";
export const SECRET = "s3cret-of-the-test-flow";
/** Path of the webhook with its secret. */
export const PATH = `/messaging/${WEBHOOK}?secret=${SECRET}`;

export interface ReceivedMessage extends NodeMessage {
  readonly from?: string;
  readonly text?: string;
  readonly event: {
    readonly kind: string;
    readonly key: string;
    readonly possibleDuplicate: boolean;
    readonly simulated: boolean;
    readonly channel?: string;
    readonly ack?: string;
    readonly unparsed?: string;
    readonly message?: Readonly<Record<string, unknown>>;
    readonly optOut?: Readonly<Record<string, unknown>>;
  };
  readonly req: { readonly ip: string; readonly headers: Readonly<Record<string, string>> };
}

export interface WebhookFlow {
  /** Origin of the server that Node-RED's web nodes answer on. */
  readonly url: string;
  readonly ports: readonly PortLog[];
  readonly all: PortLog;
  readonly statuses: PortLog;
  readonly caught: PortLog;
  readonly completed: PortLog;
  /** Waits until any badge has shown something; its texts are keys with their values. */
  readonly untilBadge: (pattern: RegExp) => Promise<void>;
  /** Cuts a connection and waits until the server has noticed. */
  readonly seeCut: (post: RawPost) => Promise<void>;
  /** Deploys the nodes of the flow anew, some of them changed or, with null, removed. */
  readonly redeploy: (change: (node: Config) => object | null, type?: "nodes" | "full") => Promise<void>;
  readonly node: (id: string) => Node;
  readonly RED: NodeAPI;
  readonly log: (level: "error" | "warn") => string[];
  readonly stop: () => Promise<void>;
}

export interface WebhookFlowOptions {
  readonly webhook?: Config;
  readonly credentials?: Config;
  /** Config of a webhook-ack; without it there is none. */
  readonly ack?: Config;
  readonly more?: readonly Config[];
  readonly moreCredentials?: Readonly<Record<string, Config>>;
  readonly settings?: Config;
  /** Changes what the node gets of Node-RED. */
  readonly prepare?: (RED: NodeAPI) => void;
}

/** A request to a webhook, as the service makes it. */
export async function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json;charset=UTF-8", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}

export const ACKNOWLEDGED = { status: 200, body: { statusCode: 2000, statusMessage: "OK" } };

let handler: RequestListener = (_req, res) => void res.writeHead(502).end();
let server: Server | null = null;
/** Ports of those who are connected now. */
const callers = new Set<number>();

async function origin(): Promise<string> {
  if (server === null) {
    server = createServer((req, res) => handler(req, res));
    server.on("connection", (socket) => {
      const port = socket.remotePort ?? 0;
      callers.add(port);
      socket.once("close", () => callers.delete(port));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Ends the server that the flows share. */
export async function stopWebhookServer(): Promise<void> {
  server?.close();
  server?.closeAllConnections();
  server = null;
}

/** Starts webhook flows for the `describe` that calls this: each ends with its test, and the server with the last one. */
export function useWebhook() {
  let running: WebhookFlow | null = null;
  afterEach(async () => {
    await running?.stop();
    running = null;
    await clearMemory();
  });
  after(stopWebhookServer);
  return {
    /** The flow of this test. */
    get flow(): WebhookFlow {
      return running ?? assert.fail("no flow runs");
    },
    start: async (options?: WebhookFlowOptions): Promise<WebhookFlow> => {
      running = await startWebhookFlow(options);
      return running;
    },
  };
}

/** The event of a message that left a webhook-in. */
export const eventOf = (msg: NodeMessage | undefined): ReceivedMessage["event"] =>
  (msg as ReceivedMessage).event;

/** A send node of a simulated account, whose template makes people write back. */
export const templateSender = (account: string, behind: readonly string[] = []): Config => ({
  id: "n-sender",
  z: "tab",
  type: "messaging-whatsapp-send",
  account,
  kind: "template",
  outputs: 4,
  wires: [behind, [], [], []],
  templateName: "welcome",
  templateNameSource: "str",
  templateLocale: "en_US",
  templateLocaleSource: "str",
});

/** Resolves when the simulator of an account knows its webhooks. */
export const untilKnown = (flow: WebhookFlow, account: string, count: number): Promise<unknown> =>
  waitFor("the webhooks to be known to the simulator", () =>
    Account.of(flow.node(account)).simulator.use(({ webhooks }) => webhooks.length === count || null),
  );

/** Loads a flow with a webhook-in, and logs what each of its ports sends. */
export async function startWebhookFlow(options: WebhookFlowOptions = {}): Promise<WebhookFlow> {
  const url = await origin();
  const outputs = options.webhook?.kind === "status" ? 4 : 2;
  const wires = Array.from({ length: outputs }, (_unused, port) => [`port${port}`]);
  const flow: Config[] = [
    { id: "tab", type: "tab", label: "test" },
    {
      id: WEBHOOK,
      z: "tab",
      type: "messaging-webhook-in",
      kind: "inbound",
      outputs,
      wires,
      ...options.webhook,
    },
    ...wires.map((_wire, port) => ({ id: `port${port}`, z: "tab", type: "helper" })),
    ...(options.ack
      ? [{ id: ACK, z: "tab", type: "messaging-webhook-ack", answer: "acknowledge", ...options.ack }]
      : []),
    { id: "n-status", z: "tab", type: "status", scope: null, wires: [["statuses"]] },
    { id: "statuses", z: "tab", type: "helper" },
    { id: "n-catch", z: "tab", type: "catch", wires: [["caught"]] },
    { id: "caught", z: "tab", type: "helper" },
    { id: "n-complete", z: "tab", type: "complete", scope: [ACK], wires: [["completed"]] },
    { id: "completed", z: "tab", type: "helper" },
    ...(options.more ?? []),
  ];
  let RED: NodeAPI | null = null;
  const register = (api: NodeAPI): void => {
    RED = api;
    options.prepare?.(api);
    registerIn(api);
  };
  helper.settings({ httpNodeRoot: "/", ...options.settings } as never);
  await helper.load(
    [giveHooks, registerAccount, registerWhatsApp, register, registerAck] as never,
    flow as never,
    { [WEBHOOK]: options.credentials ?? { secret: SECRET }, ...options.moreCredentials } as never,
  );
  const api = RED as unknown as NodeAPI;
  handler = api.httpNode as unknown as RequestListener;
  const all = new PortLog();
  const listen = (id: string, into: PortLog[] = []): PortLog => {
    const log = new PortLog();
    helper.getNode(id).on("input", (msg: NodeMessage) => {
      for (const target of [log, ...into]) {
        target.take(msg);
      }
    });
    return log;
  };
  const statuses = listen("statuses");
  const shown = (pattern: RegExp): boolean =>
    statuses.messages.some((msg) =>
      pattern.test(String((msg as { status?: { text?: string } }).status?.text)),
    );
  return {
    url,
    untilBadge: async (pattern) => {
      while (!shown(pattern)) {
        await statuses.until(statuses.messages.length + 1);
      }
    },
    seeCut: async (post) => {
      const port = post.localPort;
      await post.cut();
      await waitFor(
        () => "the server to notice",
        () => !callers.has(port) || null,
      );
    },
    redeploy: async (change, type = "nodes") => {
      const { _redNodes: nodes } = helper as unknown as {
        _redNodes: {
          getFlows(): { flows: Config[] };
          setFlows(flows: Config[], credentials: object, type: string): Promise<unknown>;
        };
      };
      const next = structuredClone(nodes.getFlows().flows).flatMap(
        (node): Config[] => [change(node) ?? []].flat() as Config[],
      );
      // The helper's own `setFlows` looks for the start only afterwards, and for 300 ms.
      const started = once(api.events, "flows:started");
      await nodes.setFlows(next, {}, type);
      await started;
    },
    ports: wires.map((_wire, port) => listen(`port${port}`, [all])),
    all,
    statuses,
    caught: listen("caught"),
    completed: listen("completed"),
    node: (id) => helper.getNode(id),
    RED: api,
    log: logLines,
    stop: async () => {
      await helper.unload();
      // A start without these nodes: they are gone for good, and not away for a redeploy.
      api.events.emit("flows:started", {});
    },
  };
}
