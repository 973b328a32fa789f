import type { FlowNode } from "../node-red/admin-client";

/** Nodes of flows for tests of the editor, on its tab. */

type Given = Readonly<Record<string, unknown>>;

export const node = (id: string, type: string, given: Given = {}): FlowNode => ({
  id,
  type,
  z: "tab",
  x: 200,
  y: 100,
  wires: [],
  ...given,
});

/** A send node of the account `account`. */
export const sender = (id: string, type: string, given: Given = {}): FlowNode =>
  node(id, type, { account: "account", outputs: 4, wires: [[], [], [], []], ...given });

/** An inject node that sends a text to another node. */
export const inject = (id: string, to: string, payload = "Hello"): FlowNode =>
  node(id, "inject", { props: [{ p: "payload" }], payload, payloadType: "str", wires: [[to]] });

/** An account with the simulator, in memory. Its name is not its id: Node-RED would take that for a reference to itself. */
export const account = (id: string, given: Given = {}): FlowNode => ({
  id,
  type: "messaging-account",
  name: `Account ${id}`,
  service: "simulator",
  keepMessages: "memory",
  ...given,
});

const field =
  (source: string) =>
  (name: string, value: string): Given => ({ [name]: value, [`${name}Source`]: source });

/** A field with a typed text, with a property of the message, with JSON. */
export const [str, msg] = [field("str"), field("msg")] as const;
export const json = (name: string, value: unknown): Given => field("json")(name, JSON.stringify(value));
