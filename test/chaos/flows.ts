import { CREDENTIALS } from "../../simulator/sign-in/credentials";
import type { FlowNode, Flows } from "../support/node-red/admin-client";
import { TEMPLATE } from "../support/node-red/flow-nodes";

const ACCOUNT = "chaos-account";
const RATED_ACCOUNT = "chaos-rated";
/** Requests per second of the rated account. */
export const RATE = 10;
/** Variables of each Node-RED: the file of its results, and the address of its database. */
export const LOG_VARIABLE = "CHAOS_LOG";
export const STORE_VARIABLE = "CHAOS_STORE";
export const WEBHOOKS = {
  status: "/status",
  inbound: "/inbound",
  secret: "a-secret-only-for-tests",
} as const;
/** Seconds of `answerTimeout`. */
const ANSWER_TIMEOUT = 3;
const CHANGED_NODES = ["sms-json", "digest"];
const END = "end";

export type Storage = "sqlite" | "postgresql" | "memory";

const KEEP = { sqlite: "computer", postgresql: "postgresql", memory: "memory" } as const;

const SENDERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "sms-form": { type: "messaging-sms-send", interface: "form" },
  "sms-json": { type: "messaging-sms-send", interface: "json" },
  "sms-get": { type: "messaging-sms-send", interface: "get" },
  template: TEMPLATE,
  rcs: { type: "messaging-rcs-send", kind: "text" },
  // In test mode the service sends no reports: the events of whole lists would fill the run.
  list: { type: "messaging-sms-send", interface: "form", test: "true", testSource: "bool" },
  once: { type: "messaging-sms-send", interface: "form", onceKey: "key", onceKeySource: "msg" },
  urgent: { type: "messaging-sms-send", interface: "form", priority: "2", prioritySource: "num" },
  wait: { type: "messaging-sms-send", interface: "form" },
  rated: { type: "messaging-sms-send", interface: "form", account: RATED_ACCOUNT },
};
const SENDER_NAMES = Object.keys(SENDERS);

/** Hands the messages of a post to their send node, which receives them before the caller gets the response. */
const HAND_OVER = `
  const { node: name, messages } = msg.payload;
  const sent = messages.map(({ id, to, key, sensitive, parts }) => ({
    to, key, parts, payload: "Hello", clientMessageId: id, mark: id, ...(sensitive && { sensitive }),
  }));
  const outputs = ${JSON.stringify(SENDER_NAMES)}.map((each) => (each === name ? sent : null));
  return [...outputs, { res: msg.res, statusCode: 202, payload: "" }];
`;

const fn = (id: string, func: string, wires: readonly (readonly string[])[]): FlowNode => ({
  ...{ id, type: "function", func, outputs: wires.length, wires },
});
const post = (id: string, url: string, next: string): FlowNode => ({
  ...{ id, type: "http in", url, method: "post", wires: [[next]] },
});
const respond = (id: string, statusCode: string): FlowNode => ({
  ...{ id, type: "http response", statusCode, wires: [] },
});

const DIGEST_NODES: readonly FlowNode[] = [
  post("gather", "/gather", "to-digest"),
  fn("to-digest", "return { ...msg, payload: msg.payload.id, topic: msg.payload.key };", [["digest"]]),
  {
    ...{ id: "digest", type: "messaging-message-digest", account: ACCOUNT, key: "topic", keySource: "msg" },
    ...{ first: "now", wait: "1 s", every: "1 s", quiet: "3 s", most: "100" },
    ...{ one: "{{last.payload}}", several: "{{count}}", over: "" },
    ...{ outputs: 2, wires: [[END], [END]] },
  },
  { id: "gathered", type: "complete", scope: ["digest"], wires: [["gather-done"]] },
  respond("gather-done", "202"),
  { id: "catch-digest", type: "catch", scope: ["digest"], uncaught: false, wires: [["gather-failed"]] },
  respond("gather-failed", "503"),
];

function webhook(kind: "status" | "inbound", outputs: number): FlowNode {
  const wires = Array.from({ length: outputs }, () => [END]);
  const { [kind]: path, secret } = WEBHOOKS;
  const settings = { kind, path, wires, credentials: { secret } };
  return { id: `hook-${kind}`, type: "messaging-webhook-in", account: ACCOUNT, ...settings };
}

function sender(id: string): FlowNode {
  const ends = id === "wait" ? [END, "await"] : [END];
  return {
    ...{ id, type: "", account: ACCOUNT, outputs: 4, wires: [ends, ends, ends, ends] },
    ...{ clientMessageId: "clientMessageId", clientMessageIdSource: "msg" },
    ...SENDERS[id],
  };
}

/**
 * A flow that sends what is posted to `/hand-in`, gathers what is posted to `/gather`, and receives events.
 * @param urls of the service, for most accounts and for the rated account
 * @param version changes with each deploy of changed nodes
 */
export function chaosFlows(urls: readonly string[], storage: Storage, version: number): Flows {
  const { username, password, clientId, clientSecret, applicationId } = CREDENTIALS;
  const account = (id: string, url: string | undefined, requestsPerSecond: number): FlowNode => ({
    ...{ id, type: "messaging-account", service: "service", serviceAddress: url, tokenAddress: url },
    ...{ legacyAuth: "basic", applicationId, connections: 8, requestsPerSecond, attempts: 20 },
    ...{ answerTimeout: ANSWER_TIMEOUT, keepMessages: KEEP[storage] },
    credentials: { username, password, clientId, clientSecret, storeUrl: `\${${STORE_VARIABLE}}` },
  });
  const nodes: readonly FlowNode[] = [
    post("hand-in", "/hand-in", "hand-over"),
    fn("hand-over", HAND_OVER, [...SENDER_NAMES.map((name) => [name]), ["accepted"]]),
    respond("accepted", "202"),
    ...SENDER_NAMES.map(sender),
    {
      ...{ id: "await", type: "messaging-message-wait", account: ACCOUNT, kind: "delivered" },
      ...{ within: "6 s", withinSource: "str", outputs: 3, wires: [[END], [END], [END]] },
    },
    ...DIGEST_NODES,
    webhook("status", 4),
    webhook("inbound", 2),
    { id: "catch-senders", type: "catch", scope: SENDER_NAMES, uncaught: false, wires: [[END]] },
    fn(END, "return null;", []),
  ];
  const placed = nodes.map((node, index) => ({
    ...node,
    ...(CHANGED_NODES.includes(node.id) ? { name: `version ${version}` } : {}),
    ...{ z: "tab", x: 200, y: 40 + 40 * index },
  }));
  const accounts = [account(ACCOUNT, urls[0], 0), account(RATED_ACCOUNT, urls[1], RATE)];
  return [{ id: "tab", type: "tab", label: "chaos" }, ...accounts, ...placed];
}
