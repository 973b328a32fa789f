import { MessagingError } from "../../shared/messaging-error";
import type { SendResult } from "../channels/send-result";

const CUT = 300;

/** A failure outcome as an error, for Catch nodes and the debug sidebar: what went wrong and what to do. */
export class OutcomeError extends MessagingError {
  readonly outcome: SendResult["outcome"];

  constructor(label: string, result: SendResult) {
    const code = result.statusCode === null ? "" : ` ${result.statusCode}`;
    const said =
      result.statusMessage.length > CUT ? `${result.statusMessage.slice(0, CUT)}…` : result.statusMessage;
    super(
      result.statusName,
      `${label} ${result.outcome}: ${result.statusName}${code}. ${said} ${result.advice}`,
    );
    this.outcome = result.outcome;
  }
}
