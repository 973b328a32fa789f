import { createRequire } from "node:module";
import helper from "node-red-node-test-helper";
import { logLines } from "./log-lines";
import type { Node, NodeAPI, NodeMessage } from "node-red";
import { giveHooks } from "../support/node-red/runtime-hooks";
import { clearMemory } from "../support/store/clear-memory";
import { waitFor } from "../support/wait-for";
import type { Simulator } from "../../simulator/index";
import registerAccount from "../../nodes/config/messaging-account";
import type { Language } from "../../lib/texts/catalogues";
import { setLanguage } from "../../lib/texts/say";
import { SendingStop } from "../../lib/runtime/account/sending-stop";
import { openMemoryStore } from "../../lib/runtime/store/open-store";
import type { SendResult } from "../../lib/runtime/channels/send-result";
import { UPDATES } from "../../lib/runtime/node-red/throttle";
import registerRcs from "../../nodes/rcs-send/rcs-send";
import registerMedia from "../../nodes/media-transfer/media-transfer";
import registerSms from "../../nodes/sms-send/sms-send";
import registerWhatsApp from "../../nodes/whatsapp-send/whatsapp-send";

helper.init(require.resolve("node-red"));
UPDATES.intervalMs = 10;

/** Ids of the nodes that every test flow has. */
export const ACCOUNT = "n-account";
export const SENDER = "n-sender";

export type Config = Readonly<Record<string, unknown>>;

/** The result that a message carries. */
export const resultOf = (msg: NodeMessage | undefined): SendResult => (msg as { result: SendResult }).result;

/** What reached one port: messages in the order of arrival, and a way to wait for more. */
export class PortLog {
  readonly messages: NodeMessage[] = [];
  #wake = (): void => {};

  take(msg: NodeMessage): void {
    this.messages.push(msg);
    this.#wake();
  }

  async until(count: number): Promise<NodeMessage[]> {
    while (this.messages.length < count) {
      await new Promise<void>((resolve, reject) => {
        const error = new Error(`waited 60 s for ${count} messages, and got ${this.messages.length}`);
        const limit = setTimeout(reject, 60_000, error);
        limit.unref();
        this.#wake = () => {
          clearTimeout(limit);
          resolve();
        };
      });
    }
    return this.messages;
  }
}

/** A running flow: account, one send node, a log on each wired port. */
export interface TestFlow {
  readonly sender: Node;
  readonly account: Node;
  /** Any other node of the flow, by its id. */
  readonly node: (id: string) => Node;
  readonly ports: readonly PortLog[];
  /** Every message that left, whatever the port. */
  readonly all: PortLog;
  readonly caught: PortLog;
  readonly completed: PortLog;
  readonly statuses: PortLog;
  readonly send: (msg: Record<string, unknown>) => void;
  /** Lines of the log at one level. */
  readonly log: (level: "error" | "warn" | "debug") => string[];
  readonly stop: () => Promise<void>;
}

export interface FlowOptions {
  readonly account?: Config;
  readonly credentials?: Config;
  /** Of the send node; an sms-send one without a `type`. */
  readonly sender?: Config;
  readonly ports?: 4 | 5 | 6 | 7;
  /** Ports that are wired; all of them if not given. */
  readonly wired?: readonly number[];
  readonly more?: readonly Config[];
  /** Further types of nodes. */
  readonly register?: readonly ((RED: NodeAPI) => void)[];
  /** Ids of nodes whose completed messages are logged too, besides the send node's. */
  readonly completing?: readonly string[];
  readonly moreCredentials?: Readonly<Record<string, Config>>;
  /** What Node-RED says its language is; English if not given. */
  readonly language?: Language;
}

/** An account that knows the simulator only as a service at an address. */
export function accountAt({ url, credentials }: Simulator): Pick<FlowOptions, "account" | "credentials"> {
  return {
    account: {
      service: "service",
      serviceAddress: url,
      legacyAuth: "basic",
      applicationId: credentials.applicationId,
    },
    credentials: {
      username: credentials.username,
      password: credentials.password,
      clientId: credentials.clientId,
      clientSecret: credentials.clientSecret,
    },
  };
}

afterEach(async () => {
  // The process knows of a stop for longer than its flow lasts.
  const memory = await openMemoryStore();
  await new SendingStop(ACCOUNT, false, () => {}).goOn(memory);
  await memory.release();
  await clearMemory();
});

let started = false;
let running = false;

/** Loads a flow into the Node-RED under test and waits until its nodes run. */
export async function startFlow(options: FlowOptions = {}): Promise<TestFlow> {
  if (!started) {
    await new Promise<void>((resolve) => helper.startServer(resolve));
    started = true;
  }
  const count = options.ports ?? 4;
  const wires = Array.from({ length: count }, (_unused, port) =>
    (options.wired ?? [...Array(count).keys()]).includes(port) ? [`port${port}`] : [],
  );
  const flow = [
    { id: "tab", type: "tab", label: "test" },
    {
      id: ACCOUNT,
      type: "messaging-account",
      service: "simulator",
      keepMessages: "memory",
      ...options.account,
    },
    {
      id: SENDER,
      z: "tab",
      type: "messaging-sms-send",
      account: ACCOUNT,
      outputs: count,
      wires,
      ...options.sender,
    },
    ...wires.map((_wire, port) => ({ id: `port${port}`, z: "tab", type: "helper" })),
    { id: "n-catch", z: "tab", type: "catch", wires: [["caught"]] },
    { id: "caught", z: "tab", type: "helper" },
    {
      id: "n-complete",
      z: "tab",
      type: "complete",
      scope: [SENDER, ...(options.completing ?? [])],
      wires: [["completed"]],
    },
    { id: "completed", z: "tab", type: "helper" },
    { id: "n-status", z: "tab", type: "status", scope: [SENDER], wires: [["statuses"]] },
    { id: "statuses", z: "tab", type: "helper" },
    ...(options.more ?? []),
  ];
  // The helper loads catch, complete and status by itself; junction, TLS and proxy nodes are the core's own too.
  const load = createRequire(__filename);
  const core = ["common/05-junction", "network/05-tls", "network/06-httpproxy"].map(
    (name) => load(`@node-red/nodes/core/${name}.js`) as never,
  );
  await helper.load(
    [
      giveHooks as never,
      // Node-RED's test helper has no language. The only text that nodes ask it for is the name of one.
      ((RED: NodeAPI) => Object.assign(RED, { _: () => options.language ?? "en-US" })) as never,
      registerAccount as never,
      registerMedia as never,
      registerSms as never,
      registerWhatsApp as never,
      registerRcs as never,
      ...core,
      ...((options.register ?? []) as never[]),
    ],
    flow as never,
    {
      [ACCOUNT]: options.credentials ?? {},
      ...options.moreCredentials,
    } as never,
  );
  const all = new PortLog();
  const listen = (id: string, into: PortLog[]): PortLog => {
    const log = new PortLog();
    helper.getNode(id).on("input", (msg: NodeMessage) => {
      for (const target of [log, ...into]) {
        target.take(msg);
      }
    });
    return log;
  };
  running = true;
  return {
    sender: helper.getNode(SENDER),
    account: helper.getNode(ACCOUNT),
    node: (id) => helper.getNode(id),
    ports: wires.map((_wire, port) => listen(`port${port}`, [all])),
    all,
    caught: listen("caught", []),
    completed: listen("completed", []),
    statuses: listen("statuses", []),
    send: (msg) => helper.getNode(SENDER).receive(msg),
    log: logLines,
    stop: stopFlow,
  };
}

/** A flow whose account has the simulator as its service. @param account settings of it besides */
export function startAt(
  simulator: Simulator,
  account: Config = {},
  options: FlowOptions = {},
): Promise<TestFlow> {
  const real = accountAt(simulator);
  return startFlow({ ...real, ...options, account: { ...real.account, ...account } });
}

/** What the badge of the send node says. */
export const badgeText = ({ statuses }: TestFlow): string =>
  (statuses.messages.at(-1) as { status?: { text?: string } } | undefined)?.status?.text ?? "";

/** Resolves when the badge of the send node says this. */
export const untilBadge = (flow: TestFlow, text: RegExp): Promise<unknown> =>
  waitFor(
    () => `${text} at the badge, which says '${badgeText(flow)}'`,
    () => text.test(badgeText(flow)),
  );

/** A TLS configuration with its own authority. @returns what a flow has of it besides */
export const ownAuthority = (cadata: string): Pick<FlowOptions, "more" | "moreCredentials"> => ({
  more: [
    {
      ...{ id: "own-ca", type: "tls-config", verifyservercert: true },
      ...{ cert: "", key: "", ca: "", certname: "", keyname: "", caname: "ca.pem" },
    },
  ],
  moreCredentials: { "own-ca": { cadata } },
});

const variables = new Set<string>();
/** Sets variables of the environment until the flow of the test stops. */
export function setEnv(values: Readonly<Record<string, string>>): void {
  Object.assign(process.env, values);
  for (const name of Object.keys(values)) variables.add(name);
}

/** Stops the flow that runs, if there is one. */
export async function stopFlow(): Promise<void> {
  for (const name of variables) delete process.env[name];
  variables.clear();
  if (running) {
    running = false;
    await helper.unload();
    setLanguage(() => "en-US");
  }
}

export const stopServer = (): Promise<void> =>
  new Promise((resolve) => (started ? helper.stopServer(() => resolve()) : resolve()));
