import { useRef } from "preact/hooks";
import type { HistoryTally } from "../../../lib/shared/history/history";
import { SHOWN_OUTCOMES } from "../../../lib/shared/outcomes";
import { failureText, formatCount, joined, texts } from "../shared/format";
import { accountLabel, getAccounts } from "../shared/nodes";
import { Button, Notice } from "../shared/parts";
import type { MessageActions } from "./message-details";
import { ReceivedMessage, SentMessage } from "./message-item";
import { isName, type Search, toQuery } from "./search";
import { getKey, useMessages } from "./use-messages";

/** The sent messages in one line, for example "2,000 messages · 1,999 sent · 1 unknown"; blank for none. */
function tallyText({ count, more, outcomes, open }: HistoryTally): string {
  if (count === 0) {
    return "";
  }
  const all = texts(`history.tally.${more ? "more" : count === 1 ? "one" : "all"}`, { n: count });
  const found = SHOWN_OUTCOMES.map((outcome) => {
    const n = outcomes[outcome];
    return n !== undefined && `${formatCount(n)} ${texts(`result.${outcome}`)}`;
  });
  return more ? all : joined(all, ...found, open > 0 && texts("history.tally.open", { n: open }));
}

/** Why there are no messages. */
function emptyText(account: string, search: Search): string {
  const one = getAccounts().length > 1 ? accountLabel(account) : "";
  return [
    texts(one === "" ? "history.nothing" : "history.nothingHere", { account: one }),
    ...(search.by === "number" && isName(search.text) ? [texts("history.namesOf")] : []),
  ].join(" ");
}

interface MessagesProps {
  readonly account: string;
  readonly search: Search;
  readonly isActive: boolean;
  readonly actions: MessageActions;
}

/** The messages that a search finds, newest first. */
export function Messages({ account, search, isActive, actions }: MessagesProps) {
  const list = useRef<HTMLDivElement>(null);
  const isRead = (): boolean => {
    const top = list.current?.closest(".messaging-view")?.getBoundingClientRect().top ?? 0;
    const isScrolled = (list.current?.getBoundingClientRect().top ?? 0) < top;
    return isScrolled || list.current?.querySelector("details[open]") != null;
  };
  const found = useMessages(account, () => toQuery(search, Date.now()), isActive, isRead);
  const { items, next, tally, looked, failure, isLoading } = found;
  const said = (): string => {
    if (failure !== null) return failureText(failure);
    if (isLoading) return texts("history.loading");
    if (looked !== undefined) return texts("history.looked", { n: looked });
    return items.length === 0 ? emptyText(account, search) : "";
  };
  const tallied = tally === undefined ? "" : tallyText(tally);
  return (
    <div class="messaging-results" ref={list}>
      {tallied !== "" && <div class="messaging-tally messaging-quiet">{tallied}</div>}
      {items.map((item) =>
        item.direction === "sent" ? (
          <SentMessage key={getKey(item)} item={item} actions={actions} />
        ) : (
          <ReceivedMessage key={getKey(item)} item={item} converse={actions.converse} />
        ),
      )}
      <Notice said={{ text: said(), isWrong: failure !== null }} />
      {next !== null && (
        <div class="messaging-row">
          <Button text={texts("history.more")} onPress={() => void found.readMore()} />
        </div>
      )}
    </div>
  );
}
