import type { HistoryTally } from "../../shared/history";
import { OUTCOMES, type Outcome } from "../../shared/outcomes";
import { formatCount, texts } from "../activity/formatting";

/** What a search finds in one line, for example "2,000 messages · 1,999 sent · 1 unknown"; blank for nothing. */
export function tallyText({ count, more, outcomes, open }: HistoryTally): string {
  if (count === 0) {
    return "";
  }
  const all = texts(more ? "history.tally.more" : count === 1 ? "history.tally.one" : "history.tally.all", {
    n: formatCount(count),
  });
  if (more) {
    return all;
  }
  const parts = (Object.keys(OUTCOMES) as Outcome[])
    .filter((outcome) => outcomes[outcome] !== undefined)
    .map((outcome) => `${formatCount(outcomes[outcome] ?? 0)} ${texts(`result.${outcome}`)}`);
  return [all, ...parts, ...(open > 0 ? [texts("history.tally.open", { n: formatCount(open) })] : [])].join(
    " · ",
  );
}
