import type { ConversationBubble } from "../../../lib/shared/history/conversation-message";
import { deliveryWord, joined, texts } from "../shared/format";
import { ChannelSign, Simulated, Time } from "../shared/parts";

/** State of a message to the person in a few words; blank for a message of the person. */
function standingText({ role, state, outcome, delivery, test }: ConversationBubble): string {
  // A test that the service accepted is no message.
  if (role === "user" || (test && outcome === "sent")) {
    return "";
  }
  return outcome === null
    ? texts(`history.state.${state ?? "waiting"}`)
    : joined(texts(`result.${outcome}`), delivery === null ? null : deliveryWord(delivery));
}

/** A message as a bubble: on the left those of the person, on the right those to the person. */
export function Bubble({ message }: { readonly message: ConversationBubble }) {
  const { role, content, at, channel, test, simulated } = message;
  const standing = standingText(message);
  return (
    <li class={`messaging-bubble messaging-${role}`}>
      <span class="messaging-hidden">{texts(`history.conversation.${role}`)}</span>
      {content === "" ? (
        <span class="messaging-quiet" title={texts("history.conversation.why")}>
          {texts("history.conversation.noText")}
        </span>
      ) : (
        <span class="messaging-bubble-text">{content}</span>
      )}
      <span class="messaging-bubble-facts messaging-quiet">
        {channel !== null && <ChannelSign channel={channel} />} <Time at={at} />{" "}
        {test && <span class="messaging-simulated">{texts("history.conversation.test")}</span>}
        {simulated && <Simulated />} {standing !== "" && <span>· {standing}</span>}
      </span>
    </li>
  );
}
