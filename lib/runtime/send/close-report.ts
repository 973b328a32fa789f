import { sanitiseText } from "../../shared/sanitise-text";
import { say } from "../../texts/say";
import { isAccepted, type SendResult } from "../channels/send-result";

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
    if (isAccepted(result)) {
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
      ...lines("not-sent", this.#notSent),
      ...lines("unknown", this.#unknown),
      ...lines("refused", this.#failed),
      ...lines("accepted", this.#accepted),
    ];
  }
}

/** Identifies a message: by its id, or by its file or media id. */
function describe({ clientMessageId, recipients, operation, file, mediaId }: SendResult): string {
  const subject = file?.name ?? mediaId;
  return subject
    ? `${sanitiseText(subject, LONGEST_ID)} (${operation})`
    : say("send.closing.id", {
        id: clientMessageId === null ? say("send.closing.no-id") : sanitiseText(clientMessageId, LONGEST_ID),
        n: recipients.length,
      });
}

function lines(fate: "not-sent" | "unknown" | "refused" | "accepted", ids: readonly string[]): string[] {
  const result: string[] = [];
  for (let from = 0; from < ids.length; from += IDS_PER_LINE) {
    const some = ids.slice(from, from + IDS_PER_LINE);
    result.push(say(`send.closing.${fate}`, { n: ids.length, ids: some.join(", ") }));
  }
  return result;
}
