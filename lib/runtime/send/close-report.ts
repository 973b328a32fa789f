import { sanitiseName } from "../../shared/sanitise-text";
import { formatNumber } from "../../texts/format-number";
import { say } from "../../texts/say";
import { maskNumber } from "../../shared/recipients/mask-number";
import { isAccepted, type SendResult } from "../channels/send-result";

/** Recipients of one fate whose masked numbers the log has. */
const NAMED = 10;

/** Flows stopped; node removed or disabled; node and those behind it replaced. */
export type CloseReason = "stopped" | "removed" | "deployed";

/** In the order of the lines. */
const FATES = ["not-sent", "unknown", "refused", "accepted"] as const;
type Fate = (typeof FATES)[number];

class Tally {
  people = 0;
  /** Messages without recipients, such as file transfers. */
  others = 0;
  readonly #numbers = new Set<string>();
  #named = 0;

  add(recipients: readonly string[]): void {
    this.people += recipients.length;
    this.others += recipients.length === 0 ? 1 : 0;
    for (const number of recipients.map(maskNumber)) {
      if (this.#numbers.size < NAMED || this.#numbers.has(number)) {
        this.#numbers.add(number);
        this.#named++;
      }
    }
  }

  /** Masked numbers in brackets, and the count of the others. */
  get names(): string {
    const list = [...this.#numbers].join(", ");
    const left = this.people - this.#named;
    return ` (${left > 0 ? `${list} ${say("fields.more", { n: formatNumber(left) })}` : list})`;
  }
}

function fateOf(result: SendResult): Fate {
  if (isAccepted(result)) {
    return "accepted";
  }
  const { outcome } = result;
  return outcome === "unknown" ? "unknown" : outcome === "retry-later" ? "not-sent" : "refused";
}

/** Counts results of a closing node for the log, because its messages may not reach other nodes. */
export class CloseReport {
  readonly #tallies = new Map<Fate, Tally>();

  constructor(
    private readonly reason: CloseReason,
    private readonly name: string,
  ) {}

  add(result: SendResult): void {
    const fate = fateOf(result);
    const tally = this.#tallies.get(fate) ?? new Tally();
    this.#tallies.set(fate, tally);
    tally.add(result.recipients);
  }

  lines(): string[] {
    return FATES.flatMap((fate) => {
      const { people = 0, others = 0, names = "" } = this.#tallies.get(fate) ?? {};
      return [
        ...(people > 0 ? [this.#line(fate, "people", people, names)] : []),
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
