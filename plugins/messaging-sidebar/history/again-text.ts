import { type AgainPlan, LEFT_OUT } from "../../../lib/shared/history/history";
import { texts } from "../shared/format";

/** What would be sent again, what it costs, and what is left out and why, in sentences. */
export function againText({ people, segments, mayRetry, more, leftOut, keepsTexts }: AgainPlan): string {
  const size = { n: people, segments };
  const parts = [
    people === 0
      ? texts("history.again.nobody")
      : texts(people === 1 ? "history.again.one-person" : "history.again.people", size),
    ...(mayRetry > 0 ? [texts("history.again.mayRetry", { n: mayRetry })] : []),
    ...(more === null ? [] : [texts(`history.again.more.${more}`)]),
    ...LEFT_OUT.filter((reason) => leftOut[reason] > 0).map((reason) =>
      texts(`history.again.left.${reason}`, { n: leftOut[reason] }),
    ),
    ...(leftOut.text > 0 && !keepsTexts ? [texts("history.again.keepTexts")] : []),
  ];
  return parts.join(" ");
}
