import { buildBare, buildCode, buildRefusal, isSuccess } from "./build-reply";
import type { CheckedRequest } from "../endpoints/check-request";
import type { AnswerContext, Draft, Endpoint } from "../endpoints/endpoint";
import type { Fault } from "./fault-plan";
import { accepts, type CodeAnswer, type ConnectionFault, describeAnswer } from "./fault-rule";
import { findFaultyRecipient } from "./faulty-recipients";
import type { RecordedRequest } from "../messages/records";
import type { Reply } from "../endpoints/reply";

/** What will happen to one request. */
export interface Decision {
  /** The whole answer; with a connection fault at most a part of it is written. */
  readonly reply: Reply;
  /** What is done to the connection instead of answering properly. */
  readonly connection: ConnectionFault | null;
  readonly delayMs: number;
  readonly fault: RecordedRequest["fault"];
}

/** The account's part in a decision. */
export interface DecisionContext extends AnswerContext {
  readonly takeFault: (operation: string, draft: Draft | null) => Fault | null;
  /** Takes the message and returns its transfer id. */
  readonly accept: (operation: string, draft: Draft, checked: CheckedRequest, statusCode: number) => string;
  /** Recipients above which a send is answered as queued. */
  readonly queuedAbove: number;
}

/** A proper answer without any fault. */
export function answerWith(reply: Reply): Decision {
  return { reply, connection: null, delayMs: 0, fault: null };
}

/** Decides what becomes of a checked request: refused, answered by a fault, or answered as the contract says. */
export function decide(endpoint: Endpoint, checked: CheckedRequest, context: DecisionContext): Decision {
  const { draft, refusal, fields } = checked;
  if (refusal) {
    const id = fields.clientMessageId;
    return answerWith(buildRefusal(endpoint, refusal, typeof id === "string" ? id : null));
  }
  const fault =
    context.takeFault(endpoint.id, draft) ?? findFaultyRecipient(draft?.recipients ?? [], endpoint.codes);
  const queued = draft && draft.recipients.length > context.queuedAbove && endpoint.codes.has(2001);
  const normal: CodeAnswer = { statusCode: queued ? 2001 : 2000 };
  const given = fault && "statusCode" in fault.answer ? fault.answer : normal;
  const accepted = fault ? accepts(fault.answer) : true;
  const transferId = draft && accepted ? context.accept(endpoint.id, draft, checked, given.statusCode) : null;

  function properReply(): Reply {
    if (endpoint.action.kind === "answer") return endpoint.action.reply(fields, context);
    return buildCode(endpoint, normal, draft, transferId);
  }
  if (!fault) return answerWith(properReply());
  // An endpoint that answers by itself accepts by doing so, even where another answer goes out.
  const proper = accepted ? properReply() : null;
  const { answer } = fault;
  const decision = {
    connection: null,
    delayMs: answer.delayMs ?? 0,
    fault: { id: fault.id, kind: describeAnswer(answer) },
  };
  if ("connection" in answer) {
    // Something has to be there to be cut off: a failure, where nothing was accepted.
    const cut = proper ?? buildCode(endpoint, { statusCode: 5000 }, draft, null);
    return { ...decision, connection: answer.connection, reply: cut };
  }
  if ("statusCode" in answer) {
    const own = isSuccess(answer.statusCode) && endpoint.action.kind === "answer" ? proper : null;
    return { ...decision, reply: own ?? buildCode(endpoint, answer, draft, transferId) };
  }
  return { ...decision, reply: buildBare(answer) };
}
