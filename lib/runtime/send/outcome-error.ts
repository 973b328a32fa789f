import { MessagingError } from "../../shared/messaging-error";
import { sanitiseText } from "../../shared/sanitise-text";
import type { SendResult } from "../channels/send-result";

const CUT = 300;

/** A failure outcome as an error, for Catch nodes and the debug sidebar: what went wrong and what to do. */
export class OutcomeError extends MessagingError {
  readonly outcome: SendResult["outcome"];

  constructor(label: string, result: SendResult) {
    const code = result.statusCode === null ? "" : ` ${result.statusCode}`;
    const said = sanitiseText(result.statusMessage, CUT);
    super(
      result.statusName,
      `${label} ${result.outcome}: ${result.statusName}${code}. ${said} ${result.advice}`,
    );
    this.outcome = result.outcome;
  }
}
