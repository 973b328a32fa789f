import { sanitiseName } from "../../shared/sanitise-text";
import { formatNumber } from "../../texts/format-number";
import { say } from "../../texts/say";
import { maskNumber } from "../../shared/recipients/mask-number";
import { isAccepted, type SendResult } from "../channels/send-result";

/** People of one fate whose masked numbers the log has. */
const NAMED = 10;

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
  /** Masked numbers of some of the people, each once. */
  readonly numbers: Set<string>;
  /** How many people these numbers are of. */
  named: number;
}

const newTally = (): Tally => ({ people: 0, others: 0, numbers: new Set(), named: 0 });
const NONE: Tally = newTally();

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
    const tally = this.#tallies.get(fate) ?? newTally();
    this.#tallies.set(fate, tally);
    tally.people += result.recipients.length;
    tally.others += result.recipients.length === 0 ? 1 : 0;
    for (const number of result.recipients.map(maskNumber)) {
      if (tally.numbers.size < NAMED || tally.numbers.has(number)) {
        tally.numbers.add(number);
        tally.named++;
      }
    }
  }

  /** How many people, and some of their numbers, masked, for the log at the level ERROR; empty without results. */
  lines(): string[] {
    return FATES.flatMap((fate) => {
      const tally = this.#tallies.get(fate) ?? NONE;
      const { people, others } = tally;
      return [
        ...(people > 0 ? [this.#line(fate, "people", people, namesOf(tally))] : []),
        ...(others > 0 ? [this.#line(fate, "messages", others)] : []),
      ];
    });
  }

  #line(fate: Fate, counted: "people" | "messages", count: number, names = ""): string {
    const why = say(`send.closing.why.${this.reason}`, { name: sanitiseName(this.name) });
    const line = `${say(`send.closing.${fate}.${counted}`, { n: `${formatNumber(count)}${names}` })} ${why}`;
    return fate === "unknown" ? `${line} ${say("send.closing.check")}` : line;
  }
}

/** Masked numbers in brackets, and how many more people there are. */
function namesOf({ numbers, named, people }: Tally): string {
  const list = [...numbers].join(", ");
  const left = people - named;
  return ` (${left > 0 ? `${list} ${say("fields.more", { n: formatNumber(left) })}` : list})`;
}
