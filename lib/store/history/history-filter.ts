import type { HistoryQuery } from "../../shared/history/history";
import { type Outcome, SKIPS } from "../../shared/outcomes";
import { isPerson } from "../schema/person";
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

/** Outcome of a row as people see it. @param table that has its outcome and its response */
export const shownOutcomeOf = (table: string): string =>
  `CASE WHEN ${isSkip(`${table}.response`)} THEN 'skipped' ELSE ${table}.outcome END`;

export type FilterKey = Exclude<keyof RowFilter, "typed">;

/** Condition of each filter on a row `w` of a walk, with its value as a parameter of its name. */
export const CONDITIONS: Readonly<Record<FilterKey, string>> = {
  account: "w.account = $account",
  number: isPerson("w.number", "$number"),
  numberEnd: "w.number LIKE '%' || CAST($numberEnd AS text)",
  person: isPersonLike("w.person"),
  clientMessageId: "w.client_id = $clientMessageId",
  transferId: "w.transfer_id = $transferId",
  node: "w.node = $node",
  outcome: "w.outcome = $outcome",
  isSkip: `CASE WHEN ${isSkip("w.response")} THEN 1 ELSE 0 END = $isSkip`,
  from: "w.accepted_at >= $from",
  to: "w.accepted_at < $to",
  job: "w.job = $ofJob",
};
