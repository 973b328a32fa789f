import { hash } from "node:crypto";
import type { MessageChannel } from "../shared/message-channel";
import {
  deliveryReport,
  inboundBinarySms,
  inboundMessage,
  inboundTextSms,
  statusMessage,
} from "./event-schemas";

/** What a webhook is registered for. */
export type ReceiverKind = "inbound" | "status";
export type EventKind = "inbound" | "status" | "report" | "unrecognised";

export interface Classified {
  readonly kind: EventKind;
  /** Output of the node, from 0. */
  readonly port: number;
  /** The sender of the message; null where the event has none. */
  readonly sender: string | null;
  /** The id that all copies of the event share; null where the service gave none. */
  readonly id: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

interface Shape {
  readonly kind: EventKind;
  /** A field that the schema requires. It is checked first, because a schema that fails is slow. */
  readonly mark: string;
  readonly schema: { safeParse(value: unknown): { readonly success: boolean } };
  readonly sender: string;
  /** Field that selects the port; without one it is the first port. */
  readonly status?: string;
}

const SHAPES: Readonly<Record<ReceiverKind, readonly Shape[]>> = {
  inbound: [
    { kind: "inbound", mark: "textMessageContent", schema: inboundTextSms, sender: "senderAddress" },
    { kind: "inbound", mark: "binaryMessageContent", schema: inboundBinarySms, sender: "senderAddress" },
    { kind: "inbound", mark: "applicationId", schema: inboundMessage, sender: "sender" },
  ],
  status: [
    {
      kind: "report",
      mark: "deliveryReportMessageStatus",
      schema: deliveryReport,
      sender: "senderAddress",
      status: "deliveryReportMessageStatus",
    },
    {
      kind: "status",
      mark: "messageStatus",
      schema: statusMessage,
      sender: "sender",
      status: "messageStatus",
    },
  ],
};

const unrecognised = (port: number): Classified => ({ kind: "unrecognised", port, sender: null, id: null });
const UNRECOGNISED = { inbound: unrecognised(1), status: unrecognised(3) } as const;

/** Ports of a receiver of status events. `undelivered` is not here: the service is still trying. */
const STATUS_PORTS: ReadonlyMap<string, number> = new Map([
  ["delivered", 0],
  ["failed", 1],
  ["expired", 1],
  ["deleted", 1],
  ["rejected", 1],
]);
/** Output of every other status. */
const OTHER_STATUS = 2;

/** Characters of an id that is kept as it is. */
const LONGEST_ID = 128;

/** Finds kind and port of an event. Any other JSON is unrecognised and goes to the last port. docs/service.md, Events. */
export function classifyEvent(receiver: ReceiverKind, value: unknown): Classified {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return UNRECOGNISED[receiver];
  }
  const fields = value as Fields;
  const shape = SHAPES[receiver].find(
    ({ mark, schema }) => fields[mark] !== undefined && schema.safeParse(value).success,
  );
  if (shape === undefined) {
    return UNRECOGNISED[receiver];
  }
  const sender = fields[shape.sender];
  return {
    kind: shape.kind,
    port: shape.status === undefined ? 0 : portOf(fields[shape.status]),
    sender: typeof sender === "string" && sender !== "" ? sender : null,
    id: idOf(shape.kind, fields.notificationId),
  };
}

/**
 * The output of an event in a node for the statuses of one channel: *delivered* and *failed* are for this channel only, so that what is
 * wired there never runs for a message that it has sent itself by another channel. All other statuses leave by *other status*: none is lost.
 * @param channel of the event; null where it is not known
 * @param only the channel of the node; null for all
 * @returns `otherChannel`: it leaves there because it is of another channel than the node's, or of one that is not known
 */
export function routeEvent(
  { kind, port }: Pick<Classified, "kind" | "port">,
  channel: MessageChannel | null,
  only: MessageChannel | null,
): { readonly port: number; readonly otherChannel: boolean } {
  const isStatus = kind === "status" || kind === "report";
  return only === null || !isStatus || channel === only
    ? { port, otherChannel: false }
    : { port: OTHER_STATUS, otherChannel: true };
}

function portOf(status: unknown): number {
  return STATUS_PORTS.get(String(status).trim().toLowerCase()) ?? OTHER_STATUS;
}

/** Thousands of ids are kept, so a long id is replaced by its hash. */
function idOf(kind: EventKind, id: unknown): string | null {
  if (typeof id === "number") {
    // Larger numbers lose digits, so that different ids would become equal.
    return Number.isSafeInteger(id) ? `${kind}:${id}` : null;
  }
  if (typeof id !== "string" || id === "") {
    return null;
  }
  return id.length > LONGEST_ID ? `${kind}:sha256:${hash("sha256", id, "base64url")}` : `${kind}:${id}`;
}
