import { MessagingError, type NameOf } from "../../shared/messaging-error";
import { sanitiseText } from "../../shared/sanitise-text";
import { say } from "../../texts/say";
import type { SendResult } from "../channels/send-result";

/** Characters of the service's message. */
const LONGEST_MESSAGE = 300;

/** What stands in place of a message that may quote the text: the field, where it is known. */
function withoutQuotes({ parameter }: SendResult, names: NameOf): string {
  const details = say("send.sensitive.details");
  return parameter === null ? details : `${names(parameter)?.label ?? parameter}: ${details}`;
}

/** The error of a failed send for Catch nodes and the debug sidebar: the cause and the advice. */
export class OutcomeError extends MessagingError {
  readonly outcome: SendResult["outcome"];

  /**
   * @param sensitive whether the text of the message must not go into the log
   * @param names what the dialog calls the fields
   */
  constructor(label: string, result: SendResult, sensitive: boolean, names: NameOf) {
    const { outcome, statusName, statusCode, statusMessage, advice } = result;
    const status = statusCode === null ? statusName : `${statusName} ${statusCode}`;
    const message = sensitive ? withoutQuotes(result, names) : sanitiseText(statusMessage, LONGEST_MESSAGE);
    super(statusName, say(`send.error.${outcome}`, { label, status, message, advice }));
    this.outcome = outcome;
  }
}
