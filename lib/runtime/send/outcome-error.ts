import { MessagingError } from "../../shared/messaging-error";
import { sanitiseText } from "../../shared/sanitise-text";
import type { SendResult } from "../channels/send-result";

/** Characters of the service's message. */
const LONGEST_MESSAGE = 300;

/** The error of a failed send for Catch nodes and the debug sidebar: the cause and the advice. */
export class OutcomeError extends MessagingError {
  readonly outcome: SendResult["outcome"];

  constructor(label: string, result: SendResult) {
    const code = result.statusCode === null ? "" : ` ${result.statusCode}`;
    const message = sanitiseText(result.statusMessage, LONGEST_MESSAGE);
    super(
      result.statusName,
      `${label} ${result.outcome}: ${result.statusName}${code}. ${message} ${result.advice}`,
    );
    this.outcome = result.outcome;
  }
}
