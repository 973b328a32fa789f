import type { HistoryQuery } from "../../../lib/shared/history/history";
import type { ShownOutcome } from "../../../lib/shared/outcomes";

/** The kinds of text that a message is searched by: number or name of a person, or an id. */
export const SEARCHED = ["number", "clientMessageId", "transferId"] as const;

export const RANGES = ["any", "hour", "day", "week", "month", "between"] as const;
type Range = (typeof RANGES)[number];

/** The values of the search form; blank stands for any. */
export interface Search {
  readonly by: (typeof SEARCHED)[number];
  readonly text: string;
  readonly outcome: ShownOutcome | "";
  readonly node: string;
  readonly range: Range;
  /** For `between`: local times as an input of type `datetime-local` gives them. */
  readonly from: string;
  readonly to: string;
}

export const ANYTHING: Search = {
  by: "number",
  text: "",
  outcome: "",
  node: "",
  range: "any",
  from: "",
  to: "",
};

const HOUR = 3_600_000;
const MINUTE = 60_000;
const LENGTHS: Readonly<Record<Exclude<Range, "any" | "between">, number>> = {
  hour: HOUR,
  day: 24 * HOUR,
  week: 7 * 24 * HOUR,
  month: 30 * 24 * HOUR,
};

/** Epoch ms of a local time; undefined for one that is not complete. */
function parseLocal(local: string, add = 0): number | undefined {
  const at = local === "" ? Number.NaN : new Date(local).getTime();
  return Number.isNaN(at) ? undefined : Math.max(0, at + add);
}

function getTimes({ range, from, to }: Search, now: number): Pick<HistoryQuery, "from" | "to"> {
  if (range === "any") {
    return {};
  }
  if (range !== "between") {
    return { from: now - LENGTHS[range] };
  }
  const start = parseLocal(from);
  // The minute that was chosen as the end belongs to it.
  const end = parseLocal(to, MINUTE);
  return { ...(start !== undefined && { from: start }), ...(end !== undefined && { to: end }) };
}

/** True if a text is a name, not a number. */
export const isName = (text: string): boolean => /\p{L}/u.test(text);

/** @param now epoch ms */
export function toQuery(search: Search, now: number): HistoryQuery {
  const text = search.text.trim();
  const key = search.by === "number" && isName(text) ? "name" : search.by;
  return {
    ...(text !== "" && { [key]: text }),
    ...(search.outcome !== "" && { outcome: search.outcome }),
    ...(search.node !== "" && { node: search.node }),
    ...getTimes(search, now),
  };
}
