import type { Node } from "node-red";
import { formatNumber } from "../../texts/format-number";
import { say } from "../../texts/say";
import { atExit } from "../node-red/at-exit";
import { countInMemory } from "../store/open-store";

const nodes = new Map<string, Node>();

export function reportAtExit(node: Node): void {
  if (nodes.size === 0) {
    atExit(report);
  }
  nodes.set(node.id, node);
}

function report(): void {
  for (const [account, node] of nodes) {
    const { unsent, unknown } = countInMemory(account);
    if (unsent + unknown > 0) {
      node.error(say("account.exit", { unsent: formatNumber(unsent), unknown: formatNumber(unknown) }));
    }
  }
}
