import type { NodeAPI, NodeMessage } from "node-red";
import type { OperationId } from "../../gateway/contract/operations";
import type { JobOutput } from "./jobs/job-output";
import type { Part } from "./parts/message-parts";
import { partId } from "../channels/part-id";
import { type MessagePlaces, partMessage, PartsStamp } from "./parts/part-messages";
import { fromPlain, messageToPlain, TooLong, toPlain } from "../node-red/plain-value";
import type { Send } from "./message-end";
import type { SendJob } from "./jobs/send-job";
import { isSensitive } from "../node-red/sensitive";

interface Envelope {
  /** Set by the store for a repeated send. */
  readonly again?: true;
  /** Null for a message that was too long or sensitive. */
  readonly msg: unknown;
  /** Set without `msg` for a sensitive message, which stays sensitive. */
  readonly sensitive?: true;
  readonly operation: OperationId;
  readonly test: boolean;
  readonly spoken?: true;
  readonly clientMessageId: string;
  readonly places: MessagePlaces;
  readonly parts: {
    readonly id: string;
    readonly count: number;
    readonly property: string;
    readonly outer?: unknown;
  } | null;
  /** As given. */
  readonly invalid: readonly string[];
}

export interface Snapshot {
  readonly text: string;
  /** Paths in `msg` of values that JSON cannot represent. */
  readonly lost: readonly string[];
  /** True if the message exceeds the limit, so that only recipients and result are stored. */
  readonly tooLong: boolean;
}

/** @param outer `msg.parts` as received */
function toEnvelope(job: SendJob, msg: unknown, invalid: readonly string[], outer?: unknown): Envelope {
  const { operation, test, spoken, clientMessageId, places, stamp } = job;
  const parts = stamp && { id: stamp.id, count: stamp.count, property: stamp.property, outer };
  const sensitive = msg === null && isSensitive(job.msg) && { sensitive: true as const };
  const voice = spoken && { spoken };
  return { msg, ...sensitive, operation, test, ...voice, clientMessageId, places, parts, invalid };
}

/** @param limit characters */
export function writeSnapshot(job: SendJob, invalid: readonly string[], limit: number): Snapshot {
  const { msg, stamp } = job;
  try {
    const { value, lost } = messageToPlain(msg, limit);
    const outer = stamp?.outer === undefined ? undefined : toPlain(stamp.outer, limit).value;
    // A request without a response of the flow, such as that of a webhook, is not missed.
    const missed = "res" in msg ? lost : lost.filter((path) => path !== "req");
    return { text: JSON.stringify(toEnvelope(job, value, invalid, outer)), lost: missed, tooLong: false };
  } catch (error) {
    if (!(error instanceof TooLong)) {
      throw error;
    }
    return { text: JSON.stringify(toEnvelope(job, null, invalid)), lost: [], tooLong: true };
  }
}

/** Contains only what results of a sensitive message need, nothing from the flow. */
export const bareSnapshot = (job: SendJob): string => JSON.stringify(toEnvelope(job, null, []));

const NOTHING_KEPT: Envelope = {
  msg: null,
  operation: "sms-form",
  test: false,
  clientMessageId: "",
  places: { list: null, id: null },
  parts: null,
  invalid: [],
};

/** An unreadable snapshot must not block the results of other messages. */
function readEnvelope(text: string | null): Envelope {
  try {
    return { ...NOTHING_KEPT, ...(JSON.parse(text ?? "{}") as Partial<Envelope>) };
  } catch {
    return NOTHING_KEPT;
  }
}

/** @param text null if the snapshot was not stored */
export function readSnapshot(RED: NodeAPI, text: string | null, send: Send) {
  const envelope = readEnvelope(text);
  const { again = false, spoken = false, msg, sensitive = false, operation, test } = envelope;
  const { clientMessageId, parts } = envelope;
  const stamp =
    parts === null || again
      ? null
      : new PartsStamp(parts.id, parts.count, parts.property, fromPlain(parts.outer));
  const bare = { _msgid: RED.util.generateId(), ...(sensitive && { sensitive }) };
  const message = (msg === null ? bare : fromPlain(msg)) as NodeMessage & {
    readonly parts?: { readonly rows?: unknown };
  };
  // A row is its own list and stays unchanged.
  const places =
    again && message.parts?.rows !== undefined ? { ...envelope.places, list: null } : envelope.places;
  // Unreadable recipients are not part of a repeated send.
  const invalid = again ? [] : envelope.invalid;
  const output: JobOutput = {
    send,
    operation,
    prepared: null,
    test,
    spoken,
    stamp,
    again,
    idOf: (part: Part) => partId(clientMessageId, part, stamp !== null),
    message: (part, id) => partMessage(RED, message, places, stamp, part, id),
  };
  return { output, invalid, sensitive };
}
