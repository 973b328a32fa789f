import { EventEmitter } from "node:events";
import type { Node, NodeAPI, NodeMessage } from "node-red";
import { type FieldSpec, fieldsOf, sourceProperty } from "../../shared/fields/field-spec";
import { withInitialValues } from "../../shared/fields/initial-values";
import { SAMPLE } from "../fields/personal-field";
import { SendExecutor } from "./send-executor";
import type { SendConfig } from "./send-setup";
import type { ChannelConfig, ChannelDefinition } from "../channels/channel-definition";
import type { SendResult } from "../channels/send-result";

export type SendTestOutcome =
  | { readonly result: SendResult; readonly error?: never }
  | { readonly result?: never; readonly error: Error };

const TEST_FIELD = "test";
const SETTINGS = ["kind", "interface", "positionAs", "braces"] as const;

/** True if the operation has a test mode, in which the service only simulates the send. */
export const hasTestMode = ({ fields }: ChannelDefinition, settings: ChannelConfig): boolean =>
  fieldsOf(fields, settings).some(({ name }) => name === TEST_FIELD);

/** Other settings are as in a new node. */
export function testedConfig({ fields, initial }: ChannelDefinition, draft: ChannelConfig): ChannelConfig {
  const known = new Set<string>([...fields.flatMap(({ name }) => [name, sourceProperty(name)]), ...SETTINGS]);
  const kept = Object.entries(draft).filter(([name]) => known.has(name));
  return withInitialValues(initial, Object.fromEntries(kept));
}

const fixed = (name: string, source: FieldSpec["initial"]["source"], value: string): ChannelConfig => ({
  [name]: value,
  [sourceProperty(name)]: source,
});

/** Reads context and variables of its prototype. Status and log are discarded. */
function standIn(base: Node): Node {
  const events = new EventEmitter();
  const discard = (): void => {};
  return Object.assign(Object.create(base) as Node, {
    wires: [],
    on: events.on.bind(events),
    emit: events.emit.bind(events),
    send: discard,
    status: discard,
    warn: discard,
    error: discard,
    log: discard,
    debug: discard,
  });
}

/** Sends one message without a flow, in the operation's test mode if there is one. Reads no other fields from `sample`. */
export async function runSendTest(
  RED: NodeAPI,
  base: Node,
  accountId: string,
  channel: ChannelDefinition,
  config: ChannelConfig,
  to: string,
  sample: object | null = null,
): Promise<SendTestOutcome> {
  const node = standIn(base);
  const complete: SendConfig & { [SAMPLE]: object | null } = {
    ...config,
    [SAMPLE]: sample,
    ...(channel.recipients !== null && fixed(channel.recipients, "str", to)),
    ...(hasTestMode(channel, config) && fixed(TEST_FIELD, "bool", "true")),
    account: accountId,
    // A user waits for the result.
    anyHour: true,
    outputs: 4,
    resultProperty: "result",
  };
  new SendExecutor(RED, node, complete, channel, false);
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
