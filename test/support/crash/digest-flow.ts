import type { FlowNode, Flows } from "../node-red/admin-client";
import { ACCOUNT, onTab, write } from "./send-flow";

/** ms between two digests of a key, and ms without a message until it is over. */
export const EVERY = 1_000;
export const QUIET = 3_000;

/** Makes what is posted a message of its key. The answer goes with it. */
const HAND_OVER = "return { ...msg, payload: msg.payload.id, topic: msg.payload.key };";

/**
 * A flow that gathers what comes at `POST /gather`, answers with 202 when it is gathered and with 503 when it is not, and writes each digest
 * and each error into its log.
 * @param account properties of the account
 */
export function digestFlow(account: Readonly<Record<string, unknown>>): Flows {
  const seconds = (ms: number): string => `${ms / 1_000} s`;
  const nodes: readonly FlowNode[] = [
    { id: "gather", type: "http in", url: "/gather", method: "post", wires: [["hand-over"]] },
    { id: "hand-over", type: "function", func: HAND_OVER, outputs: 1, wires: [["digest"]] },
    {
      id: "digest",
      type: "message-digest",
      account: ACCOUNT,
      key: "topic",
      keySource: "msg",
      first: "now",
      wait: "1 s",
      every: seconds(EVERY),
      quiet: seconds(QUIET),
      most: "100",
      one: "{{last.payload}}",
      several: "{{count}}",
      over: "",
      outputs: 2,
      wires: [["digests"], ["digests"]],
    },
    write("digests", "{ digest: msg.digest }"),
    { id: "gathered", type: "complete", scope: ["digest"], wires: [["taken"]] },
    { id: "taken", type: "http response", statusCode: "202", wires: [] },
    { id: "catch", type: "catch", scope: null, uncaught: false, wires: [["errors", "refused"]] },
    write("errors", "{ caught: msg.error.message, by: msg.error.source.id }"),
    { id: "refused", type: "http response", statusCode: "503", wires: [] },
  ];
  return onTab({ id: ACCOUNT, type: "messaging-account", service: "simulator", ...account }, nodes);
}
