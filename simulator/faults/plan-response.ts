import { buildBare, buildCode, buildRefusal, isSuccess } from "./build-reply";
import type { CheckedRequest } from "../endpoints/check-request";
import { type AnswerContext, clientMessageIdOf, type Endpoint } from "../endpoints/endpoint";
import type { ParsedMessage } from "../messages/records";
import type { Fault } from "./fault-plan";
import { accepts, type CodeAnswer, type ConnectionFault, describeAnswer } from "./fault-rule";
import { findFaultyRecipient } from "./faulty-recipients";
import type { RecordedRequest } from "../messages/records";
import type { Reply } from "../endpoints/reply";

export interface PlannedResponse {
  readonly reply: Reply;
  readonly connection: ConnectionFault | null;
  readonly delayMs: number;
  readonly fault: RecordedRequest["fault"];
}

export interface ResponseContext extends AnswerContext {
  readonly takeFault: (operation: string, message: ParsedMessage | null) => Fault | null;
  readonly accept: (
    operation: string,
    message: ParsedMessage,
    checked: CheckedRequest,
    statusCode: number,
  ) => string;
  readonly queuedAbove: number;
}

export function plainResponse(reply: Reply): PlannedResponse {
  return { reply, connection: null, delayMs: 0, fault: null };
}

export function planResponse(
  endpoint: Endpoint,
  checked: CheckedRequest,
  context: ResponseContext,
): PlannedResponse {
  const { message, refusal, fields } = checked;
  if (refusal) {
    return plainResponse(buildRefusal(endpoint, refusal, clientMessageIdOf(fields)));
  }
  const fault =
    context.takeFault(endpoint.id, message) ?? findFaultyRecipient(message?.recipients ?? [], endpoint.codes);
  const queued = message && message.recipients.length > context.queuedAbove && endpoint.codes.has(2001);
  const normal: CodeAnswer = { statusCode: queued ? 2001 : 2000 };
  const given = fault && "statusCode" in fault.answer ? fault.answer : normal;
  const accepted = fault ? accepts(fault.answer) : true;
  const transferId =
    message && accepted ? context.accept(endpoint.id, message, checked, given.statusCode) : null;

  function normalReply(): Reply {
    if (endpoint.action.kind === "answer") return endpoint.action.reply(fields, context);
    return buildCode(endpoint, normal, message, transferId);
  }
  if (!fault) return plainResponse(normalReply());
  // An `answer` endpoint accepts by building its reply, even if the fault sends another one.
  const regular = accepted ? normalReply() : null;
  const { answer } = fault;
  const faulty = {
    connection: null,
    delayMs: answer.delayMs ?? 0,
    fault: { id: fault.id, kind: describeAnswer(answer) },
  };
  if ("connection" in answer) {
    // A connection fault needs an answer to cut: a failure if nothing was accepted.
    const cut = regular ?? buildCode(endpoint, { statusCode: 5000 }, message, null);
    return { ...faulty, connection: answer.connection, reply: cut };
  }
  if ("statusCode" in answer) {
    const own = isSuccess(answer.statusCode) && endpoint.action.kind === "answer" ? regular : null;
    return { ...faulty, reply: own ?? buildCode(endpoint, answer, message, transferId) };
  }
  return { ...faulty, reply: buildBare(answer) };
}
