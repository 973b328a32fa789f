import type { ReceivedItem, SentItem } from "../../../lib/shared/history/history";
import { channelName, longTime, texts } from "../shared/format";
import { nodeLabel } from "../shared/nodes";
import { Button, ChannelSign, Dot, Facts, Fold, Icon, Line, Simulated, Time } from "../shared/parts";
import { type MessageActions, MessageDetails } from "./message-details";
import { getRecipient, getStanding, getTone } from "./wording";

/** A message to a person, which unfolds to its life. */
export function SentMessage({ item, actions }: { item: SentItem; actions: MessageActions }) {
  const [standing, ...more] = getStanding(item);
  return (
    <Fold
      class="messaging-item"
      head={
        <>
          <Line>
            <Time at={item.takenAt} />
            <ChannelSign channel={item.channel} />
            <span class="messaging-who">{getRecipient(item)}</span>
            {item.simulated && <Simulated />}
          </Line>
          <Line>
            <Dot tone={getTone(item)} />
            <b>{standing}</b>
            {more.map((each) => (
              <span key={each} class="messaging-more">
                · {each}
              </span>
            ))}
            {item.replied && <span>· {texts("delivery.replied")}</span>}
            <span class="messaging-node">{nodeLabel(item.node)}</span>
          </Line>
        </>
      }
    >
      {() => <MessageDetails item={item} actions={actions} />}
    </Fold>
  );
}

interface ReceivedProps {
  readonly item: ReceivedItem;
  readonly converse: MessageActions["converse"];
}

/** A message of a person. Its text is in the conversation. */
export function ReceivedMessage({ item, converse }: ReceivedProps) {
  const { at, channel, sender, simulated } = item;
  return (
    <Fold
      class="messaging-item"
      head={
        <>
          <Line>
            <Time at={at} />
            {channel === null ? (
              <span class="messaging-channel">
                <Icon name="sign-in" />
              </span>
            ) : (
              <ChannelSign channel={channel} />
            )}
            <span class="messaging-who">{sender ?? texts("history.noNumber")}</span>
            {simulated && <Simulated />}
          </Line>
          <Line>
            <Dot tone="in" />
            <b>{texts("history.received")}</b>
          </Line>
        </>
      }
    >
      {() => (
        <div class="messaging-details">
          <Facts
            rows={[
              [texts("history.fact.time"), longTime(at)],
              [texts("history.fact.operation"), channel === null ? null : channelName(channel)],
            ]}
          />
          {converse !== null && sender !== null && (
            <Button
              icon="comments-o"
              text={texts("history.conversation.button")}
              onPress={() => converse(sender)}
            />
          )}
        </div>
      )}
    </Fold>
  );
}
