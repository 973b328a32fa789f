import type { Account } from "../account/account";
import type { Replied, ReplyNode } from "../../shared/conversation-message";
import { shownOutcome } from "../../shared/outcomes";
import { Gone } from "../store/history/history-view";
import { replierOf } from "./typed-replies";

/** ms for which a person waits for the result of a reply; a message that has to wait shows in the conversation. */
const PATIENCE = 10_000;

/** The nodes of an account by which a person can be answered with a typed text. */
export const replyNodes = ({ nodes }: Account): readonly ReplyNode[] =>
  Object.entries(nodes.users).flatMap(([node, running]) => {
    const replier = replierOf(running);
    return replier === null ? [] : [{ node, channel: replier.channel }];
  });

/**
 * Sends one text to one person by a node of the account.
 * @param digits of the person, without plus
 * @param patience ms for which the result is waited for
 * @throws Gone where the node does not run, or does not send texts any more; SetupError, FieldError, StoreError (as a rejection)
 */
export async function replyToPerson(
  { nodes }: Account,
  node: string,
  digits: string,
  text: string,
  patience = PATIENCE,
): Promise<Replied> {
  const running = nodes.users[node];
  const replier = running === undefined ? null : replierOf(running);
  if (replier === null) {
    throw new Gone();
  }
  let timer: NodeJS.Timeout | undefined;
  const later = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), patience);
  });
  try {
    const result = await Promise.race([replier.reply(digits, text), later]);
    return result === null
      ? { outcome: null, text: "" }
      : {
          outcome: shownOutcome(result.outcome, result.statusName),
          text: `${result.statusMessage} ${result.advice}`.trim(),
        };
  } finally {
    clearTimeout(timer);
  }
}
