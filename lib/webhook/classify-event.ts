import { hash } from "node:crypto";
import type { MessageChannel } from "../shared/message-channel";
import {
  deliveryReport,
  inboundBinarySms,
  inboundMessage,
  inboundTextSms,
  statusMessage,
} from "./event-schemas";

export type ReceiverKind = "inbound" | "status";
export type EventKind = "inbound" | "status" | "report" | "unrecognised";

export interface Classified {
  readonly kind: EventKind;
  readonly port: number;
  readonly sender: string | null;
  /** Shared by all copies. Null if the service gave none. */
  readonly id: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

interface Shape {
  readonly kind: EventKind;
  /** Checked first, because a failing schema is slow. */
  readonly field: string;
  readonly schema: { safeParse(value: unknown): { readonly success: boolean } };
  readonly sender: string;
  readonly status?: string;
}

const SHAPES: Readonly<Record<ReceiverKind, readonly Shape[]>> = {
  inbound: [
    { kind: "inbound", field: "textMessageContent", schema: inboundTextSms, sender: "senderAddress" },
    { kind: "inbound", field: "binaryMessageContent", schema: inboundBinarySms, sender: "senderAddress" },
    { kind: "inbound", field: "applicationId", schema: inboundMessage, sender: "sender" },
  ],
  status: [
    {
      kind: "report",
      field: "deliveryReportMessageStatus",
      schema: deliveryReport,
      sender: "senderAddress",
      status: "deliveryReportMessageStatus",
    },
    {
      kind: "status",
      field: "messageStatus",
      schema: statusMessage,
      sender: "sender",
      status: "messageStatus",
    },
  ],
};

const unrecognised = (port: number): Classified => ({ kind: "unrecognised", port, sender: null, id: null });
const UNRECOGNISED = { inbound: unrecognised(1), status: unrecognised(3) } as const;

/** Ports of status events without `undelivered`, because the service retries. */
const STATUS_PORTS: ReadonlyMap<string, number> = new Map([
  ["delivered", 0],
  ["failed", 1],
  ["expired", 1],
  ["deleted", 1],
  ["rejected", 1],
]);
const OTHER_STATUS = 2;

const MAX_ID = 128;

/** Any other JSON is unrecognised (docs/service.md, Events). */
export function classifyEvent(receiver: ReceiverKind, value: unknown): Classified {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return UNRECOGNISED[receiver];
  }
  const fields = value as Fields;
  const shape = SHAPES[receiver].find(
    ({ field, schema }) => fields[field] !== undefined && schema.safeParse(value).success,
  );
  if (shape === undefined) {
    return UNRECOGNISED[receiver];
  }
  const sender = fields[shape.sender];
  return {
    kind: shape.kind,
    port: shape.status === undefined ? 0 : getPort(fields[shape.status]),
    sender: typeof sender === "string" && sender !== "" ? sender : null,
    id: getId(shape.kind, fields.notificationId),
  };
}

/**
 * Routes statuses of other channels to *other status*.
 * Flows behind *failed* send by another channel and must not receive their own statuses.
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

function getPort(status: unknown): number {
  return STATUS_PORTS.get(String(status).trim().toLowerCase()) ?? OTHER_STATUS;
}

/** Thousands of ids are stored, so a long one is hashed. */
function getId(kind: EventKind, id: unknown): string | null {
  if (typeof id === "number") {
    // Larger numbers lose digits, so that different ids would become equal.
    return Number.isSafeInteger(id) ? `${kind}:${id}` : null;
  }
  if (typeof id !== "string" || id === "") {
    return null;
  }
  return id.length > MAX_ID ? `${kind}:sha256:${hash("sha256", id, "base64url")}` : `${kind}:${id}`;
}
