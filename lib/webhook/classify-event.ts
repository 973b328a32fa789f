import { hash } from "node:crypto";
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
  /** Who sent the message; null where the event doesn't say. */
  readonly sender: string | null;
  /** The same for every copy of the event, and of no other; null where the service gave it none. */
  readonly id: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

interface Shape {
  readonly kind: EventKind;
  /** A field that the schema insists on: to look for it costs nothing, and a schema that fails much. */
  readonly mark: string;
  readonly schema: { safeParse(value: unknown): { readonly success: boolean } };
  readonly sender: string;
  /** Field that decides about the port; without one it is the first. */
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

const UNRECOGNISED: Readonly<Record<ReceiverKind, Classified>> = {
  inbound: { kind: "unrecognised", port: 1, sender: null, id: null },
  status: { kind: "unrecognised", port: 3, sender: null, id: null },
};

/** Ports of a receiver of status events. `undelivered` is not here: the service is still trying. */
const STATUS_PORTS: ReadonlyMap<string, number> = new Map([
  ["delivered", 0],
  ["failed", 1],
  ["expired", 1],
  ["deleted", 1],
  ["rejected", 1],
]);
const OTHER_STATUS = 2;

/** Characters of an id that is kept as it is. */
const LONGEST_ID = 128;

/**
 * Says what an event is and where it goes. What fits no event of this receiver, be it JSON of any kind, is
 * unrecognised and goes to the last port.
 */
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

function portOf(status: unknown): number {
  return STATUS_PORTS.get(String(status).trim().toLowerCase()) ?? OTHER_STATUS;
}

/** Ids are remembered by the thousand, so a long one is shortened to its hash. */
function idOf(kind: EventKind, id: unknown): string | null {
  if (typeof id === "number") {
    // Beyond that, numbers that differ are read as the same one, and an event would pass for a copy of another.
    return Number.isSafeInteger(id) ? `${kind}:${id}` : null;
  }
  if (typeof id !== "string" || id === "") {
    return null;
  }
  return id.length > LONGEST_ID ? `${kind}:sha256:${hash("sha256", id, "base64url")}` : `${kind}:${id}`;
}
