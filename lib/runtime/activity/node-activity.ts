import type { Node, NodeAPI } from "node-red";
import type { EventResult, RunningSend } from "../../shared/activity";
import type { ReceiverEvent, ReceivedEvent } from "../../webhook/receiver-parts";
import { REFUSALS } from "../../webhook/gates/refusals";
import type { ActivityLog, SendProgress } from "./activity-log";
import { activityOf } from "./activity-of";
import { maskNumber } from "./mask-number";
import { operationChannel } from "../channels/operation-channel";
import type { SendResult } from "../channels/send-result";

/** Names of inbound messages that changed the list of opt-outs. */
const OPT_OUT_NAMES = { stop: "opted-out", start: "opted-in" } as const;

/**
 * The statuses that the sidebar shows. Every user with read permission sees them, and a forged event could contain any
 * text, so other statuses are not shown.
 */
const STATUS_WORDS: ReadonlySet<string> = new Set(
  (
    "accepted accepted_by_carrier acknowledged blocked buffered cancelled canceled deleted delivered displayed enroute " +
    "error expired failed no_answer pending played queued read received rejected revoked scheduled seen sent skipped " +
    "submitted undeliverable undelivered unknown"
  ).split(" "),
);

/** The status if it is a known one, else an empty text. */
function statusWord(value: unknown): string {
  const word = typeof value === "string" ? value.trim() : "";
  return STATUS_WORDS.has(word.toLowerCase().replace(/[ -]/g, "_")) ? word : "";
}

/** Writes one node's entries into the activity log: facts about messages, and numbers only in masked form. */
export class NodeActivity {
  readonly #log: ActivityLog;
  readonly #source: Pick<RunningSend, "node" | "template">;

  constructor(RED: NodeAPI, node: Node) {
    this.#log = activityOf(RED);
    this.#source = { node: node.id, template: node._alias ?? null };
  }

  /** A request got its result, from the service or locally. */
  sent({ operation, outcome, recipients, statusCode, statusName, simulated }: SendResult): void {
    const { node, template } = this.#source;
    this.#log.add({
      node,
      template,
      channel: operationChannel(operation) ?? "media",
      result: outcome,
      who: maskNumber(recipients[0]),
      count: recipients.length,
      code: statusCode,
      name: statusName,
      status: "",
      simulated,
    });
  }

  /** A message of several requests begins. */
  begin(total: number, simulated: boolean): SendProgress {
    return this.#log.begin({ ...this.#source, total, simulated });
  }

  /** An event was emitted into the flow. */
  received({ kind, sender, channel, payload, optOut }: ReceivedEvent, simulated: boolean): void {
    const fields = (typeof payload === "object" && payload !== null ? payload : {}) as Readonly<
      Record<string, unknown>
    >;
    const status = kind === "report" ? fields.deliveryReportMessageStatus : fields.messageStatus;
    const { node, template } = this.#source;
    this.#log.add({
      node,
      template,
      channel: channel ?? "webhook",
      result: "received",
      who: maskNumber(sender),
      count: 1,
      code: null,
      name: optOut === null ? kind : OPT_OUT_NAMES[optOut.change],
      status: kind === "unrecognised" ? "" : statusWord(status),
      simulated,
    });
  }

  /** A webhook call without an event for the flow: a duplicate, a refused call, or an event sent back. */
  notDelivered(event: Exclude<ReceiverEvent, { readonly what: "event" }>, simulated: boolean): void {
    const [result, name, code] = explain(event);
    this.#log.add({
      ...this.#source,
      channel: "webhook",
      result,
      who: "",
      count: 1,
      code,
      name,
      status: "",
      simulated,
    });
  }
}

function explain(
  event: Exclude<ReceiverEvent, { readonly what: "event" }>,
): [result: EventResult, name: string, code: number | null] {
  switch (event.what) {
    case "duplicate":
      return ["duplicate", "", null];
    case "refused":
      return ["refused", event.reason, REFUSALS[event.reason].httpStatus];
    case "sent-back":
      return ["sent-back", event.by, 503];
  }
}
