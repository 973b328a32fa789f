import { findIdProblem } from "../../gateway/contract/well-formed";
import { isPartId } from "../channels/part-id";

interface ListParts {
  readonly id: string;
  readonly index?: unknown;
  readonly property: string;
  /** Id of the waiting message. Messages that are sent later are no parts of the list. */
  readonly sent?: unknown;
}

function isOfList(parts: unknown, property: string): parts is ListParts {
  const { id, property: place } = (parts ?? {}) as Partial<Record<keyof ListParts, unknown>>;
  return place === property && typeof id === "string" && id !== "" && findIdProblem(id) === null;
}

/** True if the message can be the part: another send node gives it an id of its own. */
function hasIdOfPart({ index }: ListParts, result: unknown): boolean {
  const { clientMessageId } = (result ?? {}) as Readonly<Record<string, unknown>>;
  return typeof index === "number" && typeof clientMessageId === "string" && isPartId(clientMessageId, index);
}

function sentId(result: unknown): unknown {
  const { transferId, clientMessageId } = (result ?? {}) as Readonly<Record<string, unknown>>;
  return transferId ?? clientMessageId ?? undefined;
}

/** Returns null if the message was sent again after it was a part. */
export function listOf(parts: unknown, property: string, result: unknown): string | null {
  if (!isOfList(parts, property) || !hasIdOfPart(parts, result)) {
    return null;
  }
  return parts.sent === undefined || parts.sent === sentId(result) ? parts.id : null;
}

export function noteSent(parts: unknown, property: string, result: unknown): unknown {
  const sent = sentId(result);
  return isOfList(parts, property) && parts.sent === undefined && sent !== undefined
    ? { ...parts, sent }
    : parts;
}
