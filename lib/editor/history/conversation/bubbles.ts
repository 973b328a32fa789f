import type { ConversationBubble } from "../../../shared/history/conversation-message";
import { el } from "../../activity/dom";
import { deliveryWord, texts } from "../../activity/formatting";
import { channelSign, joined, simulatedMark, titled } from "../../activity/parts";
import { channelIcon, longTime, shortTime } from "../wording";

/** Where a message to the person stands, in a few words; blank for what the person wrote. */
function standingOf({ role, state, outcome, delivery, test }: ConversationBubble): string {
  // A test that the service took is no message.
  if (role === "user" || (test && outcome === "sent")) {
    return "";
  }
  return outcome === null
    ? texts(`history.state.${state ?? "waiting"}`)
    : joined(texts(`result.${outcome}`), delivery === null ? null : deliveryWord(delivery));
}

/** A message as a bubble: on the left what the person wrote, on the right what was sent to the person. */
export function bubble(message: ConversationBubble): HTMLElement {
  const { id, role, content, at, channel, test, simulated } = message;
  const standing = standingOf(message);
  const text =
    content === ""
      ? titled(
          "messaging-activity-quiet",
          texts("history.conversation.noText"),
          texts("history.conversation.why"),
        )
      : el("span", "messaging-conversation-text", content);
  const item = el(
    "li",
    `messaging-conversation-bubble messaging-conversation-${role}`,
    el("span", "messaging-conversation-who", texts(`history.conversation.${role}`)),
    text,
    el(
      "span",
      "messaging-conversation-facts messaging-activity-quiet",
      channel === null ? null : channelSign(channelIcon(channel), texts(`channel.${channel}`)),
      titled("", shortTime(at), longTime(at)),
      test ? el("span", "messaging-activity-simulated", texts("history.conversation.test")) : null,
      simulatedMark(simulated),
      ...(standing === "" ? [] : [el("span", "", `· ${standing}`)]),
    ),
  );
  item.dataset.id = id;
  return item;
}
