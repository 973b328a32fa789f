import type { Simulator } from "../../../simulator/index";
import { Outbox } from "../../../lib/runtime/store/outbox/outbox";
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import type { Value } from "../../../lib/store/engine/engine";
import { statement } from "../../../lib/store/schema/statement";
import assert from "node:assert/strict";
import type { NodeAPI, Node, NodeMessage } from "node-red";
import helper from "node-red-node-test-helper";
import { Account } from "../../../lib/runtime/account/account";
import type { AccountStore } from "../../../lib/runtime/store/open-store";
import { ACCOUNT, type Config, type FlowOptions, startAt, type TestFlow } from "../flow";

export const TO = "41790000001";
/** Settings of an account that sends one message, and lets the others wait. */
export const SLOW = { requestsPerSecond: 1, connections: 1 };

/** Fields of a sender whose payload is a list of rows. */
export const ROWS: Config = {
  braces: "fill",
  recipientAddressList: "payload",
  recipientAddressListSource: "msg",
  messageContent: "Dear {{name}}",
  messageContentSource: "str",
};

/** A flow whose account keeps messages in a folder. */
export function startStored(
  simulator: Simulator,
  folder: string,
  { account, ...options }: FlowOptions = {},
): Promise<TestFlow> {
  return startAt(simulator, { keepMessages: "computer", storeFolder: folder, ...account }, options);
}

const made = new Map<string, ReturnType<typeof statement>>();
const statementOf = (text: string): ReturnType<typeof statement> => {
  const known = made.get(text) ?? statement(`test_flow_${made.size}`, () => text);
  made.set(text, known);
  return known;
};

type Rows = readonly Readonly<Record<string, Value>>[];

/** Runs statements in the database of a folder. @returns the rows of each */
export async function allInStore(folder: string, texts: readonly string[]): Promise<readonly Rows[]> {
  const { engine, release } = await shareSqlite(folder);
  try {
    return await engine.run(texts.map((text) => ({ statement: statementOf(text), values: [] })));
  } finally {
    await release();
  }
}

/** Runs statements in the database of a folder. @returns the rows of the last one */
export const inStore = async (folder: string, ...texts: readonly string[]): Promise<Rows> =>
  (await allInStore(folder, texts)).at(-1) ?? [];

/**
 * Makes the flows that stopped look as if their process had been killed: it has no object of any message, and what was leaving is
 * marked so.
 */
export const killed = (folder: string, ...more: readonly string[]): Promise<unknown> => {
  Outbox.of(ACCOUNT).messages.clear();
  return inStore(folder, ...more, "SELECT 1");
};

/** How many requests are in the database of a folder. @param state all of them without one */
export async function requestCount(folder: string, state?: string): Promise<number> {
  const emitted = "messages m WHERE NOT EXISTS (SELECT 1 FROM outbox o WHERE o.id = m.id)";
  const from =
    state === undefined ? "messages" : state === "emitted" ? emitted : `outbox WHERE state = '${state}'`;
  return Number((await inStore(folder, `SELECT count(*) AS n FROM ${from}`))[0]?.n);
}

export const payloadOf = (msg: NodeMessage | undefined): unknown => msg?.payload;

/** Texts that have reached the service, sorted. */
export const textsAt = (simulator: Simulator): string[] =>
  simulator.main.messages.map(({ content }) => String(content)).sort();

export const storeOf = async (flow: TestFlow): Promise<AccountStore> =>
  (await Account.of(flow.account).store()) ?? assert.fail("the account has no store");

/** Keeps the queue of an account in its store, as a person does, or lets it go on. */
export async function control(flow: TestFlow, what: "pause" | "resume"): Promise<void> {
  const { store, account } = await storeOf(flow);
  await store.queue[what](account);
}

/** Registers nodes of the type `test-ear`, which outlive deploys as nodes of the test helper do not. @param heard by the node `ear` */
export const ears =
  (heard: unknown[] = []) =>
  (RED: NodeAPI): void =>
    RED.nodes.registerType("test-ear", function ear(this: Node, config) {
      RED.nodes.createNode(this, config);
      this.on("input", (msg: NodeMessage) => void (this.id === "ear" && heard.push(msg.payload)));
    });

interface Runtime {
  readonly _redNodes: {
    getFlows(): { flows: readonly Config[] };
    setFlows(nodes: readonly Config[], credentials: undefined, type: "nodes" | "full"): Promise<unknown>;
  };
}

/** Deploys the flows anew, nodes of the test helper as ears. @param renamed nodes that change */
export const deploy = (type: "nodes" | "full", ...renamed: readonly string[]): Promise<void> =>
  deployWith(type, Object.fromEntries(renamed.map((id) => [id, { name: "deployed" }])));

/** The same. @param changes properties by the id of their node */
export async function deployWith(
  type: "nodes" | "full",
  changes: Readonly<Record<string, Config>>,
): Promise<void> {
  const { _redNodes: runtime } = helper as unknown as Runtime;
  const flows = runtime.getFlows().flows.map((node) => ({
    ...node,
    ...(node.type === "helper" ? { type: "test-ear" } : {}),
    ...changes[String(node.id)],
  }));
  await runtime.setFlows(structuredClone(flows), undefined, type);
}

export type { Config };
