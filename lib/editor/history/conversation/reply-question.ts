import type { ReplyFacts } from "../../../shared/history/typed-reply";
import { texts } from "../../activity/formatting";
import { nodeIdOf } from "../history-model";
import { shortTime } from "../wording";

/** Whether the editor has changes of a node that are not deployed. */
const isChanged = (id: string): boolean =>
  (RED.nodes.node(id) as { readonly changed?: boolean } | null)?.changed === true;

/** @param cost billed messages */
const costText = (cost: number): string =>
  cost === 1 ? texts("history.typed.cost") : texts("history.typed.segments", { n: cost });

/**
 * Asks whether a reply is to be sent: to whom, by what, what it costs, and what may surprise.
 * @param label of the node, as it was deployed
 */
export function replyQuestion(facts: ReplyFacts, account: string, node: string, label: string): string {
  const { number, sender, flash, cost, leavesAt, heldUntil, stopped, simulated } = facts;
  const sentences = [
    texts("history.typed.question", { number, node: label }),
    simulated ? texts("history.typed.simulated") : costText(cost),
    ...(sender === null ? [] : [texts("history.typed.sender", { sender })]),
    ...(flash ? [texts("history.typed.flash")] : []),
    ...(leavesAt === null ? [] : [texts("history.typed.hours", { time: shortTime(leavesAt) })]),
    ...(heldUntil === null ? [] : [texts("history.typed.limit", { time: shortTime(heldUntil) })]),
    ...(stopped ? [texts("history.typed.stopped")] : []),
    ...([account, nodeIdOf(node)].some(isChanged) ? [texts("history.typed.undeployed")] : []),
  ];
  return sentences.join(" ");
}
