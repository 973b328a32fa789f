import type { NodeMessage } from "node-red";
import { FieldError } from "../../shared/messaging-error";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";

export interface CancelRequest {
  /** Client message ids and idempotency keys; null cancels everything unsent. */
  readonly keys: readonly string[] | null;
}

const EVERYTHING: CancelRequest = { keys: null };

const wrong = (value: unknown): FieldError =>
  new FieldError("FIELD_INVALID", "cancel", say("fields.rules.cancel", { value: quoteValue(value) }), {
    label: "msg.cancel",
  });

/** @throws FieldError */
function readKey(value: unknown): string {
  if (typeof value === "string" || (typeof value === "number" && Number.isFinite(value))) {
    return String(value).trim();
  }
  throw wrong(value);
}

/** Returns null without `msg.cancel`, or if it is false, blank, null or 0. @throws FieldError for other invalid values */
export function readCancel(msg: NodeMessage): CancelRequest | null {
  const { cancel: value } = msg as { cancel?: unknown };
  if (!value) {
    return null;
  }
  if (value === true) {
    return EVERYTHING;
  }
  if (Array.isArray(value)) {
    return { keys: value.map(readKey).filter((key) => key !== "") };
  }
  const key = readKey(value);
  return key === "" ? null : { keys: [key] };
}
