import { sanitiseText } from "../../shared/sanitise-text";
import type { SendResult } from "../channels/send-result";

/** Ids in one line of the log. */
const IDS_PER_LINE = 40;
/** Characters of an id or a file name. */
const LONGEST_ID = 200;

/**
 * Collects the results of a closing node for the log, since messages of a closing node may not reach other nodes. Writes few
 * lines, whatever the number of messages.
 */
export class CloseReport {
  readonly #accepted: string[] = [];
  readonly #notSent: string[] = [];
  readonly #failed: string[] = [];
  readonly #unknown: string[] = [];

  add(result: SendResult): void {
    const { outcome, statusName } = result;
    const id = describe(result);
    if (outcome === "sent" || outcome === "queued") {
      this.#accepted.push(id);
    } else if (outcome === "unknown") {
      this.#unknown.push(id);
    } else if (outcome === "retry-later") {
      this.#notSent.push(id);
    } else {
      this.#failed.push(`${id}: ${statusName}`);
    }
  }

  /** Lines for the log; empty without results. */
  lines(): string[] {
    return [
      ...lines("not sent, because the flow was stopped or redeployed first", this.#notSent),
      ...lines(
        "with unknown outcome, because the flow was stopped or redeployed before the response arrived; check before sending again",
        this.#unknown,
      ),
      ...lines("refused while the flow was being stopped or redeployed", this.#failed),
      ...lines(
        "accepted by the service while the flow was being stopped or redeployed; the flow may not have received their results",
        this.#accepted,
      ),
    ];
  }
}

/** Identifies a message: by its id, or by its file or media id. */
function describe({ clientMessageId, recipients, operation, file, mediaId }: SendResult): string {
  const subject = file?.name ?? mediaId;
  return subject
    ? `${sanitiseText(subject, LONGEST_ID)} (${operation})`
    : `${sanitiseText(clientMessageId ?? "no id", LONGEST_ID)} (${recipients.length} recipients)`;
}

function lines(what: string, ids: readonly string[]): string[] {
  const result: string[] = [];
  for (let from = 0; from < ids.length; from += IDS_PER_LINE) {
    const some = ids.slice(from, from + IDS_PER_LINE);
    result.push(`${ids.length} messages ${what}. clientMessageId: ${some.join(", ")}`);
  }
  return result;
}
