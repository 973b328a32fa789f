import type { Node, NodeAPI } from "node-red";
import { getCodeVerdict } from "../../gateway/codec/verdict";
import { LOCAL_FAULTS, type LocalFault } from "../../gateway/contract/local-outcomes";
import type { RunningSend } from "../../shared/activity";
import { shownOutcome } from "../../shared/outcomes";
import type { ReceiverEvent, ReceivedEvent } from "../../webhook/receiver-parts";
import { REFUSALS } from "../../webhook/gates/refusals";
import type { ActivityLog, NewEntry, SendProgress } from "./activity-log";
import { activityOf } from "./activity-of";
import { maskNumber } from "../../shared/recipients/mask-number";
import { operationChannel } from "../channels/operation-channel";
import type { KeptDetails } from "./kept-entry";
import { plainReason } from "./plain-reason";
import { sanitiseName } from "../../shared/sanitise-text";
import { retold } from "../../texts/say";
import { fileDone, type SendResult } from "../channels/send-result";

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

/** Characters of the longest id or time of an event that is kept. */
const LONGEST_ID = 100;

const idOf = (value: unknown): string | null =>
  typeof value === "string" && value !== "" && value.length <= LONGEST_ID ? value : null;

/** What a result does not say of its request. */
export interface SentFacts {
  /** Epoch ms of its answer; absent for now. */
  readonly answeredAt?: number | undefined;
  /** Whether it was a call that speaks its text. */
  readonly spoken?: boolean;
  /** Epoch ms at which the limit ends that kept it back; null for none. */
  readonly limitEnds?: number | null;
}

type Facts = Pick<
  SendResult,
  | "operation"
  | "outcome"
  | "statusCode"
  | "statusName"
  | "statusMessage"
  | "advice"
  | "transferId"
  | "httpStatus"
  | "source"
>;

/** What its code or its fault says, in the words of now. Not a private getter: to make an object of a class that has one takes longer. */
function saidOf(facts: Facts): ReturnType<typeof getCodeVerdict> {
  const { operation, statusName, source } = facts;
  const fault =
    source === "local" && Object.hasOwn(LOCAL_FAULTS, statusName) ? (statusName as LocalFault) : null;
  return getCodeVerdict(operation, { ...facts, fault });
}

/** What is behind the entry of a request. Facts only: its sentences are made when somebody reads them. */
class RequestDetails implements KeptDetails {
  readonly numbers: readonly string[];
  readonly parameter: string | null;
  readonly clientMessageId: string | null;
  readonly transferId: string | null;
  readonly #facts: Facts;
  readonly #file: string | undefined;

  /** A flow may change the result later. */
  constructor(result: SendResult) {
    this.numbers = [...result.recipients];
    this.parameter = result.parameter;
    this.clientMessageId = result.clientMessageId;
    this.transferId = result.transferId;
    const { operation, outcome, statusCode, statusName, statusMessage, source } = result;
    const { advice, transferId, httpStatus } = result;
    // Field by field: each message has one.
    this.#facts = {
      operation,
      outcome,
      statusCode,
      statusName,
      statusMessage,
      advice,
      transferId,
      httpStatus,
      source,
    };
    // Not its path: that says where this computer keeps files.
    this.#file = result.file?.name;
  }

  get plainReason(): string {
    return plainReason(this.#facts);
  }

  get advice(): string {
    return retold(this.#facts.advice, () => saidOf(this.#facts)?.advice ?? "");
  }

  get fullReason(): string {
    const { statusName } = this.#facts;
    const statusMessage = retold(this.#facts.statusMessage, () => saidOf(this.#facts)?.statusMessage ?? "");
    // The text of a store that fails names its place, which readers of the history may not know either.
    const message = statusName === "STORE_UNAVAILABLE" ? this.plainReason : statusMessage;
    return this.#file === undefined ? message : `${message} (${sanitiseName(this.#file)})`;
  }
}

/** The status if it is a known one, else an empty text. */
function statusWord(value: unknown): string {
  const word = typeof value === "string" ? value.trim() : "";
  return STATUS_WORDS.has(word.toLowerCase().replace(/[ -]/g, "_")) ? word : "";
}

/** Writes one node's entries into the activity log: facts about messages, and numbers only in masked form. */
export class NodeActivity {
  readonly #log: ActivityLog;
  readonly #source: Pick<RunningSend, "node" | "template"> & { readonly account: string };

  /** @param account its id; blank for none */
  constructor(RED: NodeAPI, node: Node, account: string) {
    this.#log = activityOf(RED);
    this.#source = { node: node.id, template: node._alias ?? null, account };
  }

  /** A request got its result, from the service or locally. @param message id that Node-RED gives to its message */
  sent(result: SendResult, { answeredAt, spoken = false }: SentFacts = {}, message?: string): void {
    const { operation, outcome, recipients, statusCode, statusName, simulated } = result;
    // Field by field, here and below: an object by spread costs several µs, and each message has one.
    const { node, template, account } = this.#source;
    const entry: NewEntry = {
      node,
      template,
      channel: spoken ? "voice" : (operationChannel(operation) ?? "media"),
      result: shownOutcome(outcome, statusName),
      who: maskNumber(recipients[0]),
      count: recipients.length,
      code: statusCode,
      name: statusName,
      status: "",
      simulated,
    };
    const file = fileDone(result);
    this.#log.add(account, file === null ? entry : { ...entry, file }, new RequestDetails(result), {
      answeredAt,
      message,
    });
  }

  /** A message of several requests begins. */
  begin(total: number, simulated: boolean): SendProgress {
    const { node, template } = this.#source;
    return this.#log.begin({ node, template, total, simulated });
  }

  /** An event was emitted into the flow. @param sender the person, or what the event says of it */
  received(
    { kind, channel: known, payload, simulated, optOut, key }: ReceivedEvent,
    sender: string | null,
  ): void {
    const fields = (typeof payload === "object" && payload !== null ? payload : {}) as Readonly<
      Record<string, unknown>
    >;
    const channel = known ?? "webhook";
    const status = statusWord(kind === "report" ? fields.deliveryReportMessageStatus : fields.messageStatus);
    const isStatus = kind === "status" || kind === "report";
    const ids = { transferId: idOf(fields.transferId), clientMessageId: idOf(fields.clientMessageId) };
    const happenedOn = isStatus ? idOf(fields.deliveredOn) : null;
    const { node, template, account } = this.#source;
    const isCopy = !this.#log.isNew(account, key, node);
    if (
      isStatus &&
      status !== "" &&
      this.#log.report(account, ids, sender ?? "", status, happenedOn, isCopy)
    ) {
      return;
    }
    const repliedTo =
      kind === "inbound" && sender !== null && !isCopy ? this.#log.reply(sender, channel) : undefined;
    this.#log.add(
      account,
      {
        node,
        template,
        channel,
        result: "received",
        who: maskNumber(sender),
        count: 1,
        code: null,
        name: optOut === null ? kind : OPT_OUT_NAMES[optOut.change],
        status: kind === "unrecognised" ? "" : status,
        simulated,
      },
      {
        plainReason: "",
        fullReason: "",
        advice: "",
        parameter: null,
        numbers: sender === null ? [] : [sender],
        transferId: isStatus ? ids.transferId : null,
        clientMessageId: isStatus ? ids.clientMessageId : null,
      },
      { repliedTo, happenedOn, isCopy },
    );
  }

  /** A webhook call without an event for the flow: a duplicate, a refused call, or an event sent back. */
  notDelivered(event: Exclude<ReceiverEvent, { readonly what: "event" }>, simulated: boolean): void {
    const { node, template, account } = this.#source;
    const facts = { node, template, channel: "webhook", who: "", count: 1, status: "", simulated } as const;
    switch (event.what) {
      case "duplicate":
        this.#log.add(account, { ...facts, result: "duplicate", name: "", code: null });
        break;
      case "refused": {
        const code = REFUSALS[event.reason].httpStatus;
        this.#log.add(account, { ...facts, result: "refused", name: event.reason, code });
        break;
      }
      case "sent-back":
        this.#log.add(account, { ...facts, result: "sent-back", name: event.by, code: 503 });
    }
  }
}
