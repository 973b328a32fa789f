import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  CONVERSATION_PAGE,
  type ConversationView as Conversation,
  READ_CONVERSATIONS,
} from "../../../lib/shared/history/conversation-message";
import { READ_HISTORY } from "../../../lib/shared/history/history";
import { post } from "../shared/api";
import { failureText, longTime, texts } from "../shared/format";
import { TextInput } from "../shared/inputs";
import { Button, Notice } from "../shared/parts";
import { usePoll } from "../shared/use-poll";
import type { View, ViewProps } from "../shared/view";
import { Bubble } from "./bubble";

/** px from the end within which the list follows new messages. */
const AT_END = 40;

/** What the person does not want; blank for a person who has not opted out. */
const optedOutText = ({ number, optOut }: Conversation): string =>
  optOut === null
    ? ""
    : texts(`history.conversation.optedOut.${optOut.scope}`, { number, time: longTime(optOut.since) });

/** The messages, the newest one at the end. What the user reads stays in its place. */
function Bubbles({
  conversation,
  onEarlier,
}: {
  conversation: Conversation;
  onEarlier: (() => void) | null;
}) {
  const { number, messages } = conversation;
  const box = useRef<HTMLDivElement>(null);
  const fromEnd = useRef(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const isAtEnd = fromEnd.current - element.clientHeight < AT_END;
    element.scrollTop = isAtEnd ? element.scrollHeight : element.scrollHeight - fromEnd.current;
    fromEnd.current = element.scrollHeight - element.scrollTop;
  }, [messages.length, messages[0]?.id]);
  return (
    <div
      ref={box}
      class="messaging-bubbles"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: Users without a mouse scroll it by keys.
      tabIndex={0}
      role="log"
      aria-label={texts("history.conversation.with", { number })}
      onScroll={({ currentTarget: { scrollHeight, scrollTop } }) => {
        fromEnd.current = scrollHeight - scrollTop;
      }}
    >
      {onEarlier !== null && <Button text={texts("history.conversation.earlier")} onPress={onEarlier} />}
      <ol>
        {messages.map((message) => (
          <Bubble key={message.id} message={message} />
        ))}
      </ol>
    </div>
  );
}

type ShownConversationProps = Pick<ViewProps, "account" | "isActive"> & { readonly number: string };

function ShownConversation({ account, isActive, number }: ShownConversationProps) {
  const [most, setMost] = useState<number>(CONVERSATION_PAGE.first);
  const { data, failure, refresh } = usePoll("", isActive, () =>
    post<Conversation>(account, "history/conversation", { number, most }),
  );
  if (failure !== null) {
    return <Notice said={{ text: failureText(failure), isWrong: true }} />;
  }
  if (data === null) {
    return <Notice said={{ text: texts("history.loading"), isWrong: false }} />;
  }
  const none = data.keepsTexts ? "history.conversation.none" : "history.conversation.noTexts";
  const isMore = data.more && most !== CONVERSATION_PAGE.most;
  const readEarlier = (): void => {
    setMost(CONVERSATION_PAGE.most);
    refresh();
  };
  return (
    <>
      {optedOutText(data) !== "" && (
        <div class="messaging-opted-out" role="status">
          {optedOutText(data)}
        </div>
      )}
      {data.messages.length === 0 ? (
        <Notice said={{ text: texts(none, { number: data.number }), isWrong: false }} />
      ) : (
        <Bubbles conversation={data} onEarlier={isMore ? readEarlier : null} />
      )}
      {!data.keepsTexts && (
        <div class="messaging-row">
          <Button
            icon="pencil"
            text={texts("history.conversation.openAccount")}
            onPress={() => RED.editor.editConfig("", "messaging-account", account)}
          />
        </div>
      )}
    </>
  );
}

/** The messages of a person and to a person, on all channels. */
function ConversationView({ account, isActive, person }: ViewProps) {
  const [typed, setTyped] = useState(person.number);
  const [number, setNumber] = useState(person.number.trim());
  const show = (text: string): void => {
    setTyped(text);
    setNumber(text.trim());
  };
  useEffect(() => show(person.number), [person]);
  if (![READ_HISTORY, READ_CONVERSATIONS].every((each) => RED.user.hasPermission(each))) {
    return <div class="messaging-notice">{texts("history.conversation.denied")}</div>;
  }
  return (
    <>
      <div class="messaging-row">
        <TextInput
          label={texts("history.text.conversation")}
          value={typed}
          onInput={setTyped}
          onEnter={() => show(typed)}
        />
        <Button icon="search" tip={texts("history.search")} onPress={() => show(typed)} />
      </div>
      {number === "" ? (
        <Notice said={{ text: texts("history.conversation.whose"), isWrong: false }} />
      ) : (
        <ShownConversation
          key={`${account} ${number}`}
          account={account}
          isActive={isActive}
          number={number}
        />
      )}
    </>
  );
}

export const CONVERSATION: View = {
  id: "conversation",
  label: "history.conversation.title",
  Component: ConversationView,
};
