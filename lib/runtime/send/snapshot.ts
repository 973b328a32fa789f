import type { NodeAPI, NodeMessage } from "node-red";
import type { OperationId } from "../../gateway/contract/operations";
import { PartsStamp } from "./parts/batch-message";
import type { JobOutput } from "./jobs/job-output";
import type { Part } from "./parts/message-parts";
import { partId } from "../channels/part-id";
import { type MessagePlaces, PartMessages } from "./parts/part-messages";
import { fromPlain, messageToPlain, TooLong, toPlain } from "../node-red/plain-value";
import type { Send } from "./result-outlet";
import type { SendJob } from "./jobs/send-job";
import { isSensitive } from "../node-red/sensitive";

/** What a message is restored from, as JSON in the store. */
interface Envelope {
  /** Null where the message was too long. */
  readonly msg: unknown;
  /** Set where `msg` is null and the message was sensitive, which it stays. */
  readonly sensitive?: true;
  readonly operation: OperationId;
  readonly test: boolean;
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

/** @param limit characters */
export function writeSnapshot(job: SendJob, invalid: readonly string[], limit: number): Snapshot {
  const { operation, test, clientMessageId, places, stamp } = job;
  let msg: unknown = null;
  let outer: unknown;
  let lost: readonly string[] = [];
  let tooLong = false;
  try {
    const plain = messageToPlain(job.msg, limit);
    msg = plain.value;
    lost = plain.lost;
    outer = stamp?.outer === undefined ? undefined : toPlain(stamp.outer, limit).value;
  } catch (error) {
    if (!(error instanceof TooLong)) {
      throw error;
    }
    tooLong = true;
    msg = null;
  }
  const parts = stamp === null ? null : { id: stamp.id, count: stamp.count, property: stamp.property, outer };
  const sensitive = msg === null && isSensitive(job.msg) ? { sensitive: true as const } : {};
  const envelope: Envelope = { msg, ...sensitive, operation, test, clientMessageId, places, parts, invalid };
  return { text: JSON.stringify(envelope), lost, tooLong };
}

/** The snapshot of a sensitive message without anything that the flow has put into it: what its results need to leave by themselves. */
export function bareSnapshot({ operation, test, clientMessageId, places, stamp }: SendJob): string {
  const parts = stamp === null ? null : { id: stamp.id, count: stamp.count, property: stamp.property };
  const sensitive = true;
  const envelope: Envelope = {
    msg: null,
    sensitive,
    operation,
    test,
    clientMessageId,
    places,
    parts,
    invalid: [],
  };
  return JSON.stringify(envelope);
}

/** A message that was restored after a restart. */
export interface RestoredJob {
  readonly output: JobOutput;
  readonly invalid: readonly string[];
}

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

/** @param text null where the snapshot was not kept */
export function readSnapshot(RED: NodeAPI, text: string | null, send: Send): RestoredJob {
  const { msg, sensitive, operation, test, clientMessageId, places, parts, invalid } = readEnvelope(text);
  const stamp =
    parts === null ? null : new PartsStamp(parts.id, parts.count, parts.property, fromPlain(parts.outer));
  const bare = { _msgid: RED.util.generateId(), ...(sensitive && { sensitive }) };
  const message = (msg === null ? bare : fromPlain(msg)) as NodeMessage;
  const messages = new PartMessages(RED, message, places, stamp);
  const output: JobOutput = {
    send,
    operation,
    prepared: null,
    test,
    stamp,
    idOf: (part: Part) => partId(clientMessageId, part, stamp !== null),
    message: (part, id) => messages.of(part, id),
  };
  return { output, invalid };
}
