import type { FlowNode } from "./admin-client";

/** What the flows of tests are made of. All nodes are on the tab `tab`. */

type Properties = Readonly<Record<string, unknown>>;

export const tab = (label: string): FlowNode => ({ id: "tab", type: "tab", label });

export const simulated = (id: string): FlowNode => ({
  id,
  type: "messaging-account",
  service: "simulator",
  keepMessages: "memory",
});

/** Where messages end. */
export const END: FlowNode = { id: "end", type: "debug", z: "tab", active: false, wires: [] };

/** Wires from each of so many outputs to one node. */
export const allTo = (node: string, outputs: number): string[][] =>
  Array.from({ length: outputs }, () => [node]);

/** A send node, or another one with four outputs, which all lead to the end. */
export const sender = (id: string, type: string, account: string, more: Properties = {}): FlowNode => ({
  id,
  type,
  z: "tab",
  account,
  outputs: 4,
  wires: allTo("end", 4),
  ...more,
});

/** A button that hands `send`, or another node, a text for this number. */
export const textTo = (id: string, to: string, more: Properties = {}): FlowNode => ({
  id,
  type: "inject",
  z: "tab",
  props: [{ p: "payload" }, { p: "to", v: to, vt: "str" }],
  payload: "Hello",
  payloadType: "str",
  wires: [["send"]],
  ...more,
});

/** A button that starts a node. */
export const button = (id: string, next: string): FlowNode => ({
  id,
  type: "inject",
  z: "tab",
  props: [],
  wires: [[next]],
});

/** A webhook whose events end. */
export const webhook = (id: string, kind: "inbound" | "status", more: Properties = {}): FlowNode => ({
  id,
  type: "messaging-webhook-in",
  z: "tab",
  kind,
  wires: allTo("end", kind === "inbound" ? 2 : 4),
  ...more,
});

/** A node that sends a template with two values. */
export const TEMPLATE = {
  type: "messaging-whatsapp-send",
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
