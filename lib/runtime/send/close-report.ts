import { sanitiseText } from "../../shared/sanitise-text";
import type { SendResult } from "../channels/send-result";

const IDS_A_LINE = 40;
/** Characters of an id or a file name. */
const LONGEST_ID = 200;

/**
 * What a closing node still learned. From a closing node nothing is sure to reach a wire or a Catch node, so it
 * all goes into the log, in few lines however many messages there were.
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

  /** Lines for the log; none where nothing was under way. */
  lines(): string[] {
    return [
      ...lines("not sent, because the flow was stopped or deployed anew before they left", this.#notSent),
      ...lines(
        "with unknown outcome, because the flow was stopped or deployed anew while their answer was awaited; check before sending again",
        this.#unknown,
      ),
      ...lines("refused while the flow was being stopped or deployed anew", this.#failed),
      ...lines(
        "accepted by the service while the flow was being stopped or deployed anew; the flow may not have seen their results",
        this.#accepted,
      ),
    ];
  }
}

/** By what a message can be found again: its id, or what it was to move. */
function describe({ clientMessageId, recipients, operation, file, mediaId }: SendResult): string {
  const moved = file?.name ?? mediaId;
  return moved
    ? `${sanitiseText(moved, LONGEST_ID)} (${operation})`
    : `${sanitiseText(clientMessageId ?? "no id", LONGEST_ID)} (${recipients.length} recipients)`;
}

function lines(what: string, ids: readonly string[]): string[] {
  const result: string[] = [];
  for (let from = 0; from < ids.length; from += IDS_A_LINE) {
    const some = ids.slice(from, from + IDS_A_LINE);
    result.push(`${ids.length} messages ${what}. clientMessageId: ${some.join(", ")}`);
  }
  return result;
}
