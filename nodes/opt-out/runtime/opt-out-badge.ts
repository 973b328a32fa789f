import type { NodeStatus } from "node-red";
import { formatNumber } from "../../../lib/texts/format-number";
import { say } from "../../../lib/texts/say";
import type { OptOutResult } from "./opt-out-actions";

const COUNTS = {
  add: ["added", "known"],
  import: ["added", "known"],
  remove: ["removed", "unknown"],
  check: ["free", "optedOut"],
} as const satisfies Record<OptOutResult["action"], readonly string[]>;

export function badgeOf(result: OptOutResult, rounded = false): NodeStatus {
  const keys = COUNTS[result.action];
  const counts = {
    ...(result as Partial<Record<(typeof keys)[number], number>>),
    wrong: result.wrong.length,
  };
  const shown = ([...keys, "wrong"] as const).filter((key) => (counts[key] ?? 0) > 0);
  const text = (shown.length === 0 ? [keys[0]] : shown)
    .map((key) => say(`badges.optOut.${key}`, { n: formatNumber(counts[key] ?? 0) }))
    .join(", ");
  const doubt = rounded ? ` · ${say("badges.optOut.rounded")}` : "";
  return { fill: counts.wrong > 0 || rounded ? "yellow" : "green", shape: "dot", text: `${text}${doubt}` };
}

export const listedBadge = (n: number): NodeStatus => ({
  fill: "green",
  shape: "dot",
  text: say("badges.optOut.listed", { n: formatNumber(n) }),
});
