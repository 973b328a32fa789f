import { useState } from "preact/hooks";
import {
  type AgainDone,
  type AgainPlan,
  type DeletedNumber,
  type HistoryQuery,
  READ_HISTORY,
  WRITE_HISTORY,
  WRITE_QUEUE,
} from "../../../lib/shared/history/history";
import { post, save } from "../shared/api";
import { CsvSelect, csvRequest, getCsvForm } from "../shared/csv";
import { ask, texts } from "../shared/format";
import { Button, Notice } from "../shared/parts";
import { SendingState } from "../queue/sending-state";
import { useSaid } from "../shared/use-said";
import type { View, ViewProps } from "../shared/view";
import { againText } from "./again-text";
import { HISTORY_TABLE } from "./history-table";
import { Messages } from "./messages";
import { ANYTHING, isName, type Search, toQuery } from "./search";
import { SearchForm } from "./search-form";

/** Digits of a text that can be a whole number. */
const MIN_WHOLE = 5;

const isWholeNumber = ({ by, text }: Search): boolean =>
  by === "number" && !isName(text) && text.replace(/\D/g, "").length >= MIN_WHOLE;

/** The values that are typed, and those that are searched; `turn` counts the searches. */
interface Searches {
  readonly typed: Search;
  readonly searched: Search;
  readonly turn: number;
}

interface AccountHistoryProps extends ViewProps {
  readonly searches: Searches;
  readonly setSearches: (searches: Searches) => void;
}

function AccountHistory({ account, isActive, converse, searches, setSearches }: AccountHistoryProps) {
  const { typed, searched, turn } = searches;
  const [csv, setCsv] = useState(getCsvForm);
  const { said, say, report } = useSaid();
  const mayForget = RED.user.hasPermission(WRITE_HISTORY);
  const mayAgain = RED.user.hasPermission(WRITE_QUEUE);
  const search = (values: Search): void => setSearches({ typed: values, searched: values, turn: turn + 1 });

  const saveFile = (): void => {
    say(texts("history.saving"));
    const input = { query: toQuery(typed, Date.now()), csv: csvRequest(csv, HISTORY_TABLE) };
    void report(save(account, "history/export", input, "messages.csv").then(() => ""));
  };

  const sendAgain = async (query: HistoryQuery): Promise<void> => {
    say(texts("history.again.looking"));
    const agreed = async (most: number): Promise<string> => {
      const { people } = await post<AgainDone>(account, "history/send-again", { query, most });
      return texts(people === 1 ? "history.again.one-done" : "history.again.done", { n: people });
    };
    const planned = async (): Promise<string> => {
      const plan = await post<AgainPlan>(account, "history/plan-again", { query });
      if (plan.people === 0) {
        return againText(plan);
      }
      ask(againText(plan), texts("history.again.yes"), () => void report(agreed(plan.people)));
      return "";
    };
    await report(planned());
  };

  const forget = (): void => {
    const number = typed.text.trim();
    const deleted = async (): Promise<string> => {
      const { recipients, events, open, gathered } = await post<DeletedNumber>(
        account,
        "history/delete-number",
        { number },
      );
      search(typed);
      return [
        texts("history.forget.done", { recipients, events }),
        ...(gathered === 0 ? [] : [texts("history.forget.gathered", { n: gathered })]),
        ...(open === 0 ? [] : [texts("history.forget.open", { n: open })]),
      ].join(" ");
    };
    ask(
      texts("history.forget.question", { number }),
      texts("history.forget.yes"),
      () => void report(deleted()),
    );
  };

  return (
    <>
      <SearchForm
        account={account}
        search={typed}
        onType={(values) => setSearches({ ...searches, typed: values })}
        onSearch={(values) => {
          say("");
          search(values);
        }}
      />
      <div class="messaging-row messaging-actions">
        <CsvSelect form={csv} onChange={setCsv} />
        <Button icon="download" text="CSV" tip={texts("history.save")} onPress={saveFile} />
        <Button
          icon="repeat"
          text={texts("history.again.button")}
          tip={texts(`history.again.${mayAgain ? "tip" : "denied"}`)}
          disabled={!mayAgain}
          onPress={() => {
            // The list shows the messages that the question is about.
            search(typed);
            void sendAgain(toQuery(typed, Date.now()));
          }}
        />
        {isWholeNumber(typed) && (
          <Button
            icon="eraser"
            text={texts("history.forget.button")}
            tip={texts(`history.forget.${mayForget ? "tip" : "denied"}`)}
            disabled={!mayForget}
            onPress={forget}
          />
        )}
      </div>
      <Notice said={said} />
      <Messages
        key={turn}
        account={account}
        search={searched}
        isActive={isActive}
        actions={{ sendAgain: mayAgain ? ({ job }) => void sendAgain({ job }) : null, converse }}
      />
    </>
  );
}

/** The messages that the chosen account sent and received. */
function HistoryView(props: ViewProps) {
  const { account, isActive } = props;
  const [searches, setSearches] = useState<Searches>({ typed: ANYTHING, searched: ANYTHING, turn: 0 });
  return (
    <>
      <SendingState key={account} account={account} isActive={isActive} hasCalls />
      {RED.nodes.node(account)?.keepMessages === "memory" && (
        <div class="messaging-notice">{texts("history.memory")}</div>
      )}
      {RED.user.hasPermission(READ_HISTORY) ? (
        <AccountHistory key={account} {...props} searches={searches} setSearches={setSearches} />
      ) : (
        <div class="messaging-notice">{texts("history.denied")}</div>
      )}
    </>
  );
}

export const HISTORY: View = { id: "history", label: "history.title", Component: HistoryView };
