import type { Node, NodeAPI } from "node-red";
import type { OperationId } from "../../gateway/contract/operations";
import type { Channel, EventResult, RunningSend } from "../../shared/activity";
import type { ReceiverEvent, ReceivedEvent } from "../../webhook/receiver";
import { REFUSALS } from "../../webhook/refusals";
import type { ActivityLog, SendProgress } from "./activity-log";
import { activityOf } from "./activity-of";
import { maskNumber } from "./mask-number";
import type { SendResult } from "../channels/send-result";

const CHANNELS: Readonly<Record<OperationId, Channel>> = {
  "sms-form": "sms",
  "sms-get": "sms",
  "sms-json": "sms",
  "whatsapp-broadcast": "whatsapp",
  "whatsapp-text": "whatsapp",
  "whatsapp-media": "whatsapp",
  "whatsapp-template": "whatsapp",
  rcs: "rcs",
  "attachment-create": "media",
  "media-upload": "media",
  "media-download": "media",
  token: "media",
};

/**
 * Words for what became of a message. Everybody who may read flows sees them, and whoever forges an event could write
 * anything there, so any other status is not shown.
 */
const STATUS_WORDS: ReadonlySet<string> = new Set(
  (
    "accepted accepted_by_carrier acknowledged blocked buffered cancelled canceled deleted delivered displayed enroute " +
    "error expired failed no_answer pending played queued read received rejected revoked scheduled seen sent skipped " +
    "submitted undeliverable undelivered unknown"
  ).split(" "),
);

/** A status as it can be shown; empty for what is none. */
function statusWord(value: unknown): string {
  const word = typeof value === "string" ? value.trim() : "";
  return STATUS_WORDS.has(word.toLowerCase().replace(/[ -]/g, "_")) ? word : "";
}

/** What one node adds to the activity log: facts about messages, and of numbers only their masked form. */
export class NodeActivity {
  readonly #log: ActivityLog;
  readonly #origin: Pick<RunningSend, "node" | "template">;

  constructor(RED: NodeAPI, node: Node) {
    this.#log = activityOf(RED);
    this.#origin = { node: node.id, template: node._alias ?? null };
  }

  /** A request was answered, or refused on this side. */
  sent({ operation, outcome, recipients, statusCode, statusName, simulated }: SendResult): void {
    const { node, template } = this.#origin;
    this.#log.add({
      node,
      template,
      channel: CHANNELS[operation],
      result: outcome,
      who: maskNumber(recipients[0]),
      count: recipients.length,
      code: statusCode,
      name: statusName,
      status: "",
      simulated,
    });
  }

  /** A message goes out as several requests. */
  begin(total: number, simulated: boolean): SendProgress {
    return this.#log.begin({ ...this.#origin, total, simulated });
  }

  /** An event went into the flow. */
  received({ kind, sender, payload }: ReceivedEvent, simulated: boolean): void {
    const fields = (typeof payload === "object" && payload !== null ? payload : {}) as Readonly<
      Record<string, unknown>
    >;
    const status = kind === "report" ? fields.deliveryReportMessageStatus : fields.messageStatus;
    const { node, template } = this.#origin;
    this.#log.add({
      node,
      template,
      channel: channelOf(kind, fields),
      result: "received",
      who: maskNumber(sender),
      count: 1,
      code: null,
      name: kind,
      status: kind === "unrecognised" ? "" : statusWord(status),
      simulated,
    });
  }

  /** Anything else that a webhook does with a call. */
  happened(happening: Exclude<ReceiverEvent, { readonly what: "event" }>, simulated: boolean): void {
    const [result, name, code] = explain(happening);
    this.#log.add({
      ...this.#origin,
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
  happening: Exclude<ReceiverEvent, { readonly what: "event" }>,
): [result: EventResult, name: string, code: number | null] {
  switch (happening.what) {
    case "duplicate":
      return ["duplicate", "", null];
    case "refused":
      return ["refused", happening.reason, REFUSALS[happening.reason].httpStatus];
    case "sent-back":
      return ["sent-back", happening.by, 503];
  }
}

/** Events say in different fields what they came by; a status message does not. */
function channelOf(kind: ReceivedEvent["kind"], { type }: Readonly<Record<string, unknown>>): Channel {
  if (kind === "report") {
    return "sms";
  }
  if (kind !== "inbound") {
    return "webhook";
  }
  const word = typeof type === "string" ? type.toLowerCase() : "sms";
  return word === "sms" || word === "whatsapp" || word === "rcs" ? word : "webhook";
}
