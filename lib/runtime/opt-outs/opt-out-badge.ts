import type { NodeStatus } from "node-red";
import { formatNumber } from "../../texts/format-number";
import { say } from "../../texts/say";
import type { OptOutResult } from "./opt-out-actions";

type CountKey = "added" | "known" | "removed" | "unknown" | "free" | "optedOut" | "wrong";

/** What a badge says of a result: its counts that are not 0. */
export function badgeOf(result: OptOutResult): NodeStatus {
  const counts: readonly (readonly [CountKey, number])[] =
    result.action === "check"
      ? [
          ["free", result.free],
          ["optedOut", result.optedOut],
        ]
      : result.action === "remove"
        ? [
            ["removed", result.removed],
            ["unknown", result.unknown],
          ]
        : [
            ["added", result.added],
            ["known", result.known],
          ];
  const [first] = counts as [readonly [CountKey, number]];
  const shown = [...counts, ["wrong", result.wrong.length] as const].filter(([, n]) => n > 0);
  const text = (shown.length === 0 ? [first] : shown)
    .map(([key, n]) => say(`badges.optOut.${key}`, { n: formatNumber(n) }))
    .join(", ");
  return { fill: result.wrong.length > 0 ? "yellow" : "green", shape: "dot", text };
}

export const listedBadge = (n: number): NodeStatus => ({
  fill: "green",
  shape: "dot",
  text: say("badges.optOut.listed", { n: formatNumber(n) }),
});
