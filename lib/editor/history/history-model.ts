import { FAILED_DELIVERIES } from "../activity/entries/delivery-facts";
import type { HistoryQuery } from "../../shared/history/history";
import type { MessageRecord } from "../../shared/history/message-record";
import { type ShownOutcome, shownOutcome } from "../../shared/outcomes";

/** By what a message is looked for: the number or name of a person, the number of one whose conversation is shown, or an id. */
export const SEARCHED = ["number", "conversation", "clientMessageId", "transferId"] as const;
export type Searched = (typeof SEARCHED)[number];

/** Times that a search can be limited to. */
export const RANGES = ["any", "hour", "day", "week", "month", "between"] as const;
export type Range = (typeof RANGES)[number];

/** What the search form holds; blank stands for "does not matter". */
export interface SearchForm {
  readonly by: Searched;
  readonly text: string;
  readonly outcome: ShownOutcome | "";
  readonly node: string;
  readonly range: Range;
  /** For `between`: local times as an input of type `datetime-local` gives them. */
  readonly from: string;
  readonly to: string;
}

const HOUR = 3_600_000;
const MINUTE = 60_000;
const LENGTHS: Readonly<Record<Exclude<Range, "any" | "between">, number>> = {
  hour: HOUR,
  day: 24 * HOUR,
  week: 7 * 24 * HOUR,
  month: 30 * 24 * HOUR,
};

/** Epoch ms of a local time; undefined for one that is blank or not complete. */
function timeOf(local: string, add = 0): number | undefined {
  const at = local === "" ? Number.NaN : new Date(local).getTime();
  return Number.isNaN(at) ? undefined : Math.max(0, at + add);
}

function timesOf({ range, from, to }: SearchForm, now: number): Pick<HistoryQuery, "from" | "to"> {
  if (range === "any") {
    return {};
  }
  if (range !== "between") {
    return { from: now - LENGTHS[range] };
  }
  const begin = timeOf(from);
  // The minute that was chosen as the end belongs to it.
  const end = timeOf(to, MINUTE);
  return { ...(begin !== undefined && { from: begin }), ...(end !== undefined && { to: end }) };
}

/** Whether a text that stands where numbers and names may is a name. */
export const isName = (text: string): boolean => /\p{L}/u.test(text);

const keyOf = ({ by, text }: SearchForm): keyof HistoryQuery =>
  by === "conversation" ? "number" : by === "number" && isName(text) ? "name" : by;

/** What the runtime is asked for. @param now epoch ms */
export function queryOf(form: SearchForm, now: number): HistoryQuery {
  const text = form.text.trim();
  return {
    ...(text !== "" && { [keyOf(form)]: text }),
    ...(form.outcome !== "" && { outcome: form.outcome }),
    ...(form.node !== "" && { node: form.node }),
    ...timesOf(form, now),
  };
}

/** Colours of entries and steps, named as those of the activity view. */
export type Tone = "good" | "bad" | "wait" | "in" | "none";

const OUTCOME_TONES: Readonly<Record<ShownOutcome, Tone>> = {
  sent: "good",
  queued: "good",
  rejected: "bad",
  denied: "bad",
  "retry-later": "wait",
  unknown: "bad",
  skipped: "none",
};
/** Colour of a message: a message that did not arrive is no success, whatever the answer was. */
export function toneOf({
  state,
  outcome,
  delivery,
  statusName,
}: Pick<MessageRecord, "state" | "outcome" | "delivery" | "statusName">): Tone {
  if (state !== "done" || outcome === null) {
    return state === "sending" ? "in" : state === "waiting" ? "none" : "wait";
  }
  return delivery !== null && FAILED_DELIVERIES.has(delivery)
    ? "bad"
    : OUTCOME_TONES[shownOutcome(outcome, statusName)];
}

/** The id that the editor may know the node of a record by: the last part of the path of a node in a subflow. */
export const nodeIdOf = (node: string): string => node.split("/").at(-1) ?? node;
