import type { RefusedCalls } from "../../../lib/shared/history/history";
import { longTime, shortTime, texts } from "../shared/format";
import { nodeLabel } from "../shared/nodes";

/** The webhook calls that were refused, in one line with the last reasons. */
export function RefusedLine({ calls: { count, since, reasons } }: { readonly calls: RefusedCalls }) {
  if (count === 0) {
    return null;
  }
  return (
    <div class="messaging-notice messaging-refused" title={texts("refused.since", { time: longTime(since) })}>
      {texts(count === 1 ? "refused.one" : "refused.many", { n: count })}{" "}
      {reasons.map(({ reason, code, times, at, node }, index) => (
        <span key={reason} title={`${nodeLabel(node)}, ${longTime(at)}`}>
          {index > 0 && ", "}
          {texts(`reason.${reason}`)} ({code}, {texts("refused.times", { n: times, time: shortTime(at) })})
        </span>
      ))}
    </div>
  );
}
