import { sanitiseName, sanitiseText } from "../../shared/sanitise-text";
import { say } from "../../texts/say";
import { isAccepted, type SendResult } from "../channels/send-result";

/** Ids of messages of one fate in the log, at the level DEBUG. */
const IDS = 40;
/** Characters of an id or a file name. */
const LONGEST_ID = 200;

/**
 * Why results go into the log: the flows were stopped; a deploy removed or disabled the node; a deploy replaced the node and those
 * behind it.
 */
export type CloseReason = "stopped" | "removed" | "deployed";

/** What became of a message, in the order of the lines. */
const FATES = ["not-sent", "unknown", "refused", "accepted"] as const;
type Fate = (typeof FATES)[number];

interface Tally {
  people: number;
  /** Messages without recipients, such as transfers of files. */
  others: number;
  readonly ids: string[];
}

const NONE: Tally = { people: 0, others: 0, ids: [] };

function fateOf(result: SendResult): Fate {
  if (isAccepted(result)) {
    return "accepted";
  }
  const { outcome } = result;
  return outcome === "unknown" ? "unknown" : outcome === "retry-later" ? "not-sent" : "refused";
}

/**
 * Counts the results of a closing node for the log, since messages of a closing node may not reach other nodes. Gives few
 * lines, whatever the number of messages.
 */
export class CloseReport {
  readonly #tallies = new Map<Fate, Tally>();

  /** @param name name or id of the node */
  constructor(
    private readonly reason: CloseReason,
    private readonly name: string,
  ) {}

  add(result: SendResult): void {
    const fate = fateOf(result);
    const tally = this.#tallies.get(fate) ?? { people: 0, others: 0, ids: [] };
    this.#tallies.set(fate, tally);
    tally.people += result.recipients.length;
    tally.others += result.recipients.length === 0 ? 1 : 0;
    const id = idOf(result);
    if (id !== "" && tally.ids.length < IDS) {
      tally.ids.push(id);
    }
  }

  /** People and counts, for the log at the level ERROR; empty without results. */
  lines(): string[] {
    return FATES.flatMap((fate) => {
      const { people, others } = this.#tallies.get(fate) ?? NONE;
      return [
        ...(people > 0 ? [this.#line(fate, "people", people)] : []),
        ...(others > 0 ? [this.#line(fate, "messages", others)] : []),
      ];
    });
  }

  /** Ids of a few messages of each fate, for the log at the level DEBUG. */
  details(): string[] {
    return [...this.#tallies]
      .filter(([, { ids }]) => ids.length > 0)
      .map(([fate, { ids }]) => `${fate}: ${ids.join(", ")}`);
  }

  #line(fate: Fate, counted: "people" | "messages", n: number): string {
    const why = say(`send.closing.why.${this.reason}`, { name: sanitiseName(this.name) });
    const line = `${say(`send.closing.${fate}.${counted}`, { n })} ${why}`;
    return fate === "unknown" ? `${line} ${say("send.closing.check")}` : line;
  }
}

/** Identifies a message: by its id, or by its file or media id; blank where it has none. */
function idOf({ clientMessageId, operation, file, mediaId }: SendResult): string {
  const subject = file?.name ?? mediaId;
  return subject
    ? `${sanitiseText(subject, LONGEST_ID)} (${operation})`
    : sanitiseText(clientMessageId ?? "", LONGEST_ID);
}
