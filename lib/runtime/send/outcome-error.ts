import { MessagingError } from "../../shared/messaging-error";
import { sanitiseText } from "../../shared/sanitise-text";
import { say } from "../../texts/say";
import type { SendResult } from "../channels/send-result";

/** Characters of the service's message. */
const LONGEST_MESSAGE = 300;

/** The error of a failed send for Catch nodes and the debug sidebar: the cause and the advice. */
export class OutcomeError extends MessagingError {
  readonly outcome: SendResult["outcome"];

  constructor(label: string, result: SendResult) {
    const { outcome, statusName, statusCode, statusMessage, advice } = result;
    const status = statusCode === null ? statusName : `${statusName} ${statusCode}`;
    const message = sanitiseText(statusMessage, LONGEST_MESSAGE);
    super(statusName, say(`send.error.${outcome}`, { label, status, message, advice }));
    this.outcome = outcome;
  }
}
