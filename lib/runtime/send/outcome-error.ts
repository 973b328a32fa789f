import { MessagingError, type NameOf } from "../../shared/messaging-error";
import { sanitiseText } from "../../shared/sanitise-text";
import { say } from "../../texts/say";
import type { SendResult } from "../channels/send-result";

const LONGEST_MESSAGE = 300;

/** Replaces a message that may quote the text. */
function withoutQuotes({ parameter }: SendResult, names: NameOf): string {
  const details = say("send.sensitive.details");
  return parameter === null ? details : `${names(parameter)?.label ?? parameter}: ${details}`;
}

/** Cause and advice of a failed send for Catch nodes and the debug sidebar. */
export class OutcomeError extends MessagingError {
  readonly outcome: SendResult["outcome"];

  /** @param sensitive true if the text of the message must not be logged @param names labels of the fields */
  constructor(label: string, result: SendResult, sensitive: boolean, names: NameOf) {
    const { outcome, statusName, statusCode, statusMessage, advice } = result;
    const status = statusCode === null ? statusName : `${statusName} ${statusCode}`;
    const message = sensitive ? withoutQuotes(result, names) : sanitiseText(statusMessage, LONGEST_MESSAGE);
    super(statusName, say(`send.error.${outcome}`, { label, status, message, advice }));
    this.outcome = outcome;
  }
}
