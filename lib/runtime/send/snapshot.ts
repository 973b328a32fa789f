import type { NodeAPI, NodeMessage } from "node-red";
import type { OperationId } from "../../gateway/contract/operations";
import { PartsStamp } from "./parts/batch-message";
import type { JobOutput } from "./jobs/job-output";
import type { Part } from "./parts/message-parts";
import { partId } from "../channels/part-id";
import { type MessagePlaces, partMessage } from "./parts/part-messages";
import { fromPlain, messageToPlain, TooLong, toPlain } from "../node-red/plain-value";
import type { Send } from "./result-outlet";
import type { SendJob } from "./jobs/send-job";
import { isSensitive } from "../node-red/sensitive";

/** What a message is restored from, as JSON in the store. */
interface Envelope {
  /** Set by the store where some of the message's people are sent to again. */
  readonly again?: true;
  /** Null where the message was too long. */
  readonly msg: unknown;
  /** Set where `msg` is null and the message was sensitive, which it stays. */
  readonly sensitive?: true;
  readonly operation: OperationId;
  readonly test: boolean;
  /** Set for a call that speaks its text. */
  readonly spoken?: true;
  readonly clientMessageId: string;
  readonly places: MessagePlaces;
  readonly parts: {
    readonly id: string;
    readonly count: number;
    readonly property: string;
    readonly outer?: unknown;
  } | null;
  /** Recipients of the part that is not sent, as they were given. */
  readonly invalid: readonly string[];
}

/** A message as JSON, and what of it the JSON lacks. */
export interface Snapshot {
  readonly text: string;
  /** Paths in `msg` of what JSON cannot hold. */
  readonly lost: readonly string[];
  /** True where the message is longer than the limit, so that only recipients and result are kept. */
  readonly tooLong: boolean;
}

/** @param msg null where it is not kept @param outer `msg.parts` as it came */
function envelopeOf(job: SendJob, msg: unknown, invalid: readonly string[], outer?: unknown): Envelope {
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
    // A request that the flow has no answer to give to, such as that of a webhook, is missed by nobody.
    const missed = "res" in msg ? lost : lost.filter((path) => path !== "req");
    return { text: JSON.stringify(envelopeOf(job, value, invalid, outer)), lost: missed, tooLong: false };
  } catch (error) {
    if (!(error instanceof TooLong)) {
      throw error;
    }
    return { text: JSON.stringify(envelopeOf(job, null, invalid)), lost: [], tooLong: true };
  }
}

/** The snapshot of a sensitive message without anything that the flow has put into it: what its results need to leave by themselves. */
export const bareSnapshot = (job: SendJob): string => JSON.stringify(envelopeOf(job, null, []));

/** What a restored message is where its snapshot was not kept: its recipients and result only. */
const NOTHING_KEPT: Envelope = {
  msg: null,
  operation: "sms-form",
  test: false,
  clientMessageId: "",
  places: { list: null, id: null },
  parts: null,
  invalid: [],
};

/** What cannot be read must not keep the results of other messages from leaving. */
function readEnvelope(text: string | null): Envelope {
  try {
    return { ...NOTHING_KEPT, ...(JSON.parse(text ?? "{}") as Partial<Envelope>) };
  } catch {
    return NOTHING_KEPT;
  }
}

/**
 * A message that was restored after a restart.
 * @param text null where the snapshot was not kept
 */
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
  // The list of a row is the row, which stays as it is.
  const places =
    again && message.parts?.rows !== undefined ? { ...envelope.places, list: null } : envelope.places;
  // Those whose numbers could not be read are not sent to again.
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
