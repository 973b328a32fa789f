import { isPartId } from "../channels/part-id";

interface ListParts {
  readonly id: string;
  readonly index?: unknown;
  readonly property: string;
  /** Id of the message that was the part, since it has waited. What is sent later is no part of the list. */
  readonly sent?: unknown;
}

function isOfList(parts: unknown, property: string): parts is ListParts {
  const { id, property: place } = (parts ?? {}) as Partial<Record<keyof ListParts, unknown>>;
  return place === property && typeof id === "string" && id !== "";
}

/** Whether the id of the message says that it may be the part: what another send node has sent since has an id of its own. */
function hasIdOfPart({ index }: ListParts, result: unknown): boolean {
  const { clientMessageId } = (result ?? {}) as Readonly<Record<string, unknown>>;
  return typeof index === "number" && typeof clientMessageId === "string" && isPartId(clientMessageId, index);
}

function sentId(result: unknown): unknown {
  const { transferId, clientMessageId } = (result ?? {}) as Readonly<Record<string, unknown>>;
  return transferId ?? clientMessageId ?? undefined;
}

/** @returns null where the message was sent since it was a part */
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
