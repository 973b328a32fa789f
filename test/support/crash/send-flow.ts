import type { FlowNode, Flows } from "../node-red/admin-client";
import type { ServiceAccess } from "./service-process";

export const ACCOUNT = "crash-account";
/** Environment variable with the file that the flow writes its log into, a line of JSON for each message. */
export const LOG_VARIABLE = "CRASH_LOG";

/** Hands a message of the driver over to the send node that it is for, and answers then. */
const HAND_OVER = `
  const { node: name, id, attempt, to, text } = msg.payload;
  const sent = { ...msg, to, payload: text, clientMessageId: id, mark: id, attempt, topic: name };
  return [sent, { res: msg.res, statusCode: 202, payload: "" }];
`;

export const TEMPLATE = {
  type: "whatsapp-send",
  kind: "template",
  templateName: "order_ready",
  templateNameSource: "str",
  templateLocale: "de",
  templateLocaleSource: "str",
  localizableParams: [
    { value: "Ann", source: "str" },
    { value: "payload", source: "msg" },
  ],
  localizableParamsSource: "list",
};
const SENDERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "sms-form": { type: "sms-send", interface: "form" },
  "sms-json": { type: "sms-send", interface: "json" },
  "sms-get": { type: "sms-send", interface: "get" },
  template: TEMPLATE,
  rcs: { type: "rcs-send", kind: "text" },
  list: { type: "sms-send", interface: "form" },
  // In test mode the service reports on nobody: of so many people it could not keep the events.
  "long-list": { type: "sms-send", interface: "form", test: "true", testSource: "bool" },
  "few-templates": TEMPLATE,
  "few-rcs": { type: "rcs-send", kind: "text" },
};
/** Senders whose results a Join node collects. */
const JOINED = ["list", "long-list", "few-templates", "few-rcs"];

/** Writes a line, before the flow goes on, so that it outlives the process. @param line an expression */
export function write(id: string, line: string): FlowNode {
  const func = `fs.appendFileSync(env.get("${LOG_VARIABLE}"), JSON.stringify(${line}) + "\\n");`;
  return { id, type: "function", func, outputs: 0, libs: [{ var: "fs", module: "fs" }], wires: [] };
}

export interface SendFlowOptions {
  readonly keepMessages: "computer" | "memory" | "postgresql";
  /** Further properties of the account. */
  readonly account?: Readonly<Record<string, unknown>>;
  /** Further credentials of the account. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** 0: no limit. */
  readonly requestsPerSecond?: number;
  /** With it there are two webhooks, which write each event into the log. */
  readonly webhookSecret?: string;
}

/** Paths of the webhooks of the flow. */
export const WEBHOOK_PATHS = { status: "/messaging/status", inbound: "/messaging/inbound" } as const;

/**
 * A flow that takes messages at `POST /hand-in` and lists of people at `POST /people`, sends each by the node that it
 * names, and writes each result, each complete group of a list, and each error into its log.
 */
export function sendFlow(service: ServiceAccess, options: SendFlowOptions): Flows {
  const { username, password, clientId, clientSecret, applicationId } = service.credentials;
  const names = Object.keys(SENDERS);
  const account: FlowNode = {
    id: ACCOUNT,
    type: "messaging-account",
    name: "crash",
    service: "service",
    serviceAddress: service.url,
    tokenAddress: service.url,
    legacyAuth: "basic",
    applicationId,
    connections: 8,
    requestsPerSecond: options.requestsPerSecond ?? 0,
    attempts: 20,
    keepMessages: options.keepMessages,
    ...options.account,
    credentials: { username, password, clientId, clientSecret, ...options.secrets },
  };
  const nodes: readonly FlowNode[] = [
    { id: "hand-in", type: "http in", url: "/hand-in", method: "post", wires: [["hand-over"]] },
    {
      id: "hand-over",
      type: "function",
      func: HAND_OVER,
      outputs: 2,
      wires: [["choose"], ["answer"]],
    },
    { id: "answer", type: "http response", wires: [] },
    {
      id: "choose",
      type: "switch",
      property: "topic",
      propertyType: "msg",
      rules: names.map((v) => ({ t: "eq", v, vt: "str" })),
      checkall: "false",
      outputs: names.length,
      wires: names.map((name) => [name]),
    },
    ...names.map((name): FlowNode => {
      const ends = ["results", ...(JOINED.includes(name) ? [`join-${name}`] : [])];
      const common = { id: name, account: ACCOUNT, outputs: 4, wires: [ends, ends, ends, ends] };
      const id = { clientMessageId: "clientMessageId", clientMessageIdSource: "msg" };
      return { ...common, ...id, ...SENDERS[name] } as unknown as FlowNode;
    }),
    ...JOINED.map(
      (name): FlowNode => ({ id: `join-${name}`, type: "join", mode: "auto", wires: [["groups"]] }),
    ),
    {
      id: "people",
      type: "http in",
      url: "/people",
      method: "post",
      wires: [["split-up", "thanks"]],
    },
    { id: "split-up", type: "split", wires: [["to-one"]] },
    {
      id: "to-one",
      type: "function",
      func: "return { to: msg.payload, mark: msg.payload, clientMessageId: 'crash-' + msg.payload, payload: 'Hello' };",
      outputs: 1,
      wires: [["sms-form"]],
    },
    { id: "thanks", type: "http response", statusCode: "202", wires: [] },
    write("results", "{ mark: msg.mark, attempt: msg.attempt, result: msg.result, parts: msg.parts }"),
    write("groups", "{ mark: msg.mark, group: msg.result }"),
    ...(options.webhookSecret === undefined ? [] : webhooks(options.webhookSecret)),
    { id: "catch", type: "catch", scope: null, uncaught: false, wires: [["errors"]] },
    write("errors", "{ caught: msg.error.message, by: msg.error.source.id }"),
  ];
  return onTab(account, nodes);
}

/** A tab with these nodes. */
export function onTab(account: FlowNode, nodes: readonly FlowNode[]): Flows {
  // Without a place on the tab Node-RED takes a node for a configuration.
  const placed = nodes.map((node, at) => ({ ...node, z: "tab", x: 200, y: 40 + 40 * at }));
  return [{ id: "tab", type: "tab", label: "crash" }, account, ...placed];
}

function webhooks(secret: string): readonly FlowNode[] {
  const hook = (kind: "status" | "inbound", outputs: number): FlowNode => ({
    id: `hook-${kind}`,
    type: "webhook-in",
    account: ACCOUNT,
    kind,
    path: WEBHOOK_PATHS[kind],
    wires: Array.from({ length: outputs }, () => ["events"]),
    credentials: { secret },
  });
  return [
    hook("status", 4),
    hook("inbound", 2),
    write("events", "{ event: msg.event, payload: msg.payload }"),
  ];
}
