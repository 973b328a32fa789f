import { EventEmitter } from "node:events";
import type { Node, NodeAPI, NodeMessage } from "node-red";
import { type FieldSpec, fieldsOf, sourceProperty } from "../../shared/fields/field-spec";
import { SendExecutor } from "./send-executor";
import type { SendConfig } from "./send-setup";
import type { ChannelConfig, ChannelDefinition } from "../channels/channel-definition";
import type { SendResult } from "../channels/send-result";

/** What became of a test: a result like that of a flow, or the reason why nothing was tried. */
export type SendTestOutcome =
  | { readonly result: SendResult; readonly error?: never }
  | { readonly result?: never; readonly error: Error };

const TEST_FIELD = "test";

/** Whether messages with these settings can be sent as a simulation, by a field of the operation. */
export const hasTestMode = ({ fields }: ChannelDefinition, settings: ChannelConfig): boolean =>
  fieldsOf(fields, settings).some(({ name }) => name === TEST_FIELD);

/** The configuration of a send node that a test takes from its dialog; whatever else was sent is dropped. */
export function testedConfig(channel: ChannelDefinition, typed: ChannelConfig): ChannelConfig {
  const fields = channel.fields.flatMap(({ name }) => [name, sourceProperty(name)]);
  const known = new Set([...fields, ...Object.keys(channel.settings ?? {}), "kind", "interface"]);
  return {
    ...channel.settings,
    kind: channel.messageKinds?.[0],
    ...Object.fromEntries(Object.entries(typed).filter(([name, value]) => known.has(name) && value !== null)),
  };
}

const fixed = (name: string, source: FieldSpec["initial"]["source"], value: string): ChannelConfig => ({
  [name]: value,
  [sourceProperty(name)]: source,
});

/**
 * A node that stands in no flow: what a message comes from is asked of the one it stands for, and what it does
 * reaches nobody.
 */
function standIn(base: Node): Node {
  const { id, type, name, _flow } = base;
  const silent = (): void => {};
  return Object.assign(new EventEmitter(), {
    id,
    type,
    name,
    // Node-RED looks for it on the node itself when it reads a variable.
    _flow,
    wires: [],
    context: () => base.context(),
    status: silent,
    warn: silent,
    error: silent,
    log: silent,
  }) as unknown as Node;
}

/**
 * Sends one message as a node with this configuration would, through the same checks and the account's own queue,
 * without a flow: in test mode where the operation has one.
 * @param base a running node whose context and variables the message's fields may use
 * @param config of the send node, by `testedConfig`
 * @param to one recipient
 */
export async function runSendTest(
  RED: NodeAPI,
  base: Node,
  accountId: string,
  channel: ChannelDefinition,
  config: ChannelConfig,
  to: string,
): Promise<SendTestOutcome> {
  const node = standIn(base);
  const complete: SendConfig = {
    ...config,
    ...(channel.recipients !== null && fixed(channel.recipients, "str", to)),
    ...(hasTestMode(channel, config) && fixed(TEST_FIELD, "bool", "true")),
    account: accountId,
    outputs: 4,
    resultProperty: "result",
  };
  new SendExecutor(RED, node, complete, channel);
  try {
    let result: SendResult | null = null;
    const error = await new Promise<Error | undefined>((resolve) => {
      const take = (messages: readonly (NodeMessage | null)[]): void => {
        const message = messages.find((each) => each !== null) as { result?: SendResult } | undefined;
        result = message?.result ?? null;
      };
      node.emit("input", {}, take, resolve);
    });
    return result === null ? { error: error ?? new Error("no result") } : { result };
  } finally {
    await new Promise<void>((resolve) => node.emit("close", resolve));
  }
}
