import { findIdProblem } from "../../gateway/contract/well-formed";
import { OUTCOMES } from "../../shared/outcomes";
import { FieldError } from "../../shared/messaging-error";
import type { ReplyChannel } from "../../store/waits/wait";
import { propertyName } from "../../texts/field-names";
import { WAIT_LABELS } from "./wait-labels";
import { say } from "../../texts/say";
import { operationChannel } from "../channels/operation-channel";
import { isAccepted, type SendResult } from "../channels/send-result";

export interface SentRequest {
  readonly channel: ReplyChannel;
  /** False if the service has not accepted the message, which then gets no report. */
  readonly mayArrive: boolean;
  readonly transferId: string | null;
  readonly clientMessageId: string | null;
  readonly recipients: readonly string[];
  readonly restored: boolean;
}

const isText = (value: unknown): value is string => typeof value === "string";

function isResult(value: unknown): value is SendResult {
  const { operation, outcome, recipients } = (value ?? {}) as Partial<Record<keyof SendResult, unknown>>;
  return (
    isText(operation) &&
    isText(outcome) &&
    Object.hasOwn(OUTCOMES, outcome) &&
    Array.isArray(recipients) &&
    recipients.every(isText)
  );
}

const readId = (value: unknown): string | null => (isText(value) && value !== "" ? value : null);

/** @throws FieldError FIELD_INVALID for a value without reports */
export function readSendResult(value: unknown, property: string): SentRequest {
  const label = `${propertyName(WAIT_LABELS, "resultProperty")?.label} (msg.${property})`;
  const wrong = (problem: string): FieldError =>
    new FieldError("FIELD_INVALID", property, problem, { label });
  if (!isResult(value)) {
    throw wrong(say("waits.result.none"));
  }
  const channel = operationChannel(value.operation);
  if (channel === null) {
    throw wrong(say("waits.result.media"));
  }
  const { outcome, recipients, restored = false } = value;
  if (recipients.length === 0) {
    throw wrong(say("waits.result.nobody"));
  }
  const mayArrive = isAccepted(value) || outcome === "unknown";
  const [transferId, clientMessageId] = [readId(value.transferId), readId(value.clientMessageId)];
  for (const id of [transferId, clientMessageId, ...recipients]) {
    const problem = id === null ? null : findIdProblem(id);
    if (problem !== null) {
      throw wrong(problem);
    }
  }
  if (mayArrive && transferId === null && clientMessageId === null) {
    throw wrong(say("waits.result.no-id"));
  }
  return { channel, mayArrive, transferId, clientMessageId, recipients, restored };
}
