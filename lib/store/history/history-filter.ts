import type { HistoryQuery } from "../../shared/history/history";
import { type Outcome, SKIPS } from "../../shared/outcomes";
import { isPersonLike, type PersonPatterns, personPatterns } from "./person-like";

/** What is searched for; what is left out does not matter. */
export interface HistoryFilter extends Omit<HistoryQuery, "number"> {
  readonly account?: string;
  /** Digits of the recipient. */
  readonly number?: string;
  /** Last digits of the recipient. */
  readonly numberEnd?: string;
}

/** The filter as the rows have it. */
export interface RowFilter extends Omit<HistoryFilter, "outcome" | "name">, Partial<PersonPatterns> {
  readonly outcome?: Outcome;
  readonly isSkip?: 0 | 1;
}

/** Outcomes of messages that a rule kept back; only of these it has to be asked. */
const OUTCOMES_OF_SKIPS: ReadonlySet<string> = new Set<Outcome>(["rejected", "retry-later"]);

export function rowFilterOf({ outcome, name, ...others }: HistoryFilter): RowFilter {
  const rest = name === undefined ? others : { ...others, ...personPatterns(name) };
  if (outcome === undefined) {
    return rest;
  }
  return outcome === "skipped"
    ? { ...rest, isSkip: 1 }
    : { ...rest, outcome, ...(OUTCOMES_OF_SKIPS.has(outcome) && { isSkip: 0 }) };
}

/** Whether an answer is of a message that a rule kept back. A fault of this side stands first in its JSON. */
export const isSkip = (answer: string): string =>
  SKIPS.map((name) => `${answer} LIKE '{"fault":"${name}"%'`).join(" OR ");

/** Outcome of a row as people see it. @param table that has its outcome and its answer */
export const shownOutcomeOf = (table: string): string =>
  `CASE WHEN ${isSkip(`${table}.answer`)} THEN 'skipped' ELSE ${table}.outcome END`;

export type FilterKey = Exclude<keyof RowFilter, "typed">;

/** Condition of each filter, with its value as a parameter of its name. */
export const CONDITIONS: Readonly<Record<FilterKey, string>> = {
  account: "j.account = $account",
  number: "c.number = $number",
  numberEnd: "c.number LIKE '%' || CAST($numberEnd AS text)",
  person: isPersonLike("c.person"),
  clientMessageId: "r.client_message_id = $clientMessageId",
  transferId: "r.transfer_id = $transferId",
  node: "j.node = $node",
  outcome: "r.outcome = $outcome",
  isSkip: `CASE WHEN ${isSkip("r.answer")} THEN 1 ELSE 0 END = $isSkip`,
  from: "j.taken_at >= $from",
  to: "j.taken_at < $to",
  job: "j.id = $ofJob",
};
