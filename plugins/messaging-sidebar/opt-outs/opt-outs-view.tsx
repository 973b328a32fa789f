import { useEffect, useRef, useState } from "preact/hooks";
import { OPT_OUT_SCOPES } from "../../../lib/shared/fields/opt-out-fields";
import {
  OPT_OUT_COLUMNS,
  OPT_OUT_SOURCES,
  type OptOutChange,
  type OptOutCount,
  type OptOutFound,
  type OptOutPage,
  type OptOutRow,
  READ_OPT_OUTS,
  WRITE_OPT_OUTS,
} from "../../../lib/shared/opt-outs";
import { post, save } from "../shared/api";
import { type CsvTexts, CsvSelect, csvRequest, getCsvForm } from "../shared/csv";
import { ask, failureText, joined, texts } from "../shared/format";
import { Select, TextInput } from "../shared/inputs";
import { accountLabel } from "../shared/nodes";
import { Button, Notice, Quiet, Time } from "../shared/parts";
import { useSaid } from "../shared/use-said";
import type { View, ViewProps } from "../shared/view";

type Scope = OptOutRow["scope"];

const TABLE: CsvTexts = {
  titles: OPT_OUT_COLUMNS.map((column) => `optOuts.column.${column}`),
  words: [
    ["scope", OPT_OUT_SCOPES, (scope) => `optOuts.scope.${scope}`],
    ["source", OPT_OUT_SOURCES, (source) => `optOuts.source.${source}`],
  ],
};

/** Entries that were read; `next` is blank if they are all. */
interface List {
  readonly entries: readonly OptOutRow[];
  readonly next: string;
}

function Entry({ entry, onRemove }: { entry: OptOutRow; onRemove: (() => void) | null }) {
  const { number, scope, since, source } = entry;
  return (
    <li class="messaging-opt-out">
      <div>
        <b class="messaging-number">{number}</b>
        <Quiet>
          {joined(texts(`optOuts.scope.${scope}`), texts(`optOuts.source.${source}`))} · <Time at={since} />
        </Quiet>
      </div>
      <Button
        icon="times"
        tip={onRemove === null ? texts("optOuts.writeDenied") : texts("optOuts.remove.tip", { number })}
        disabled={onRemove === null}
        onPress={() => onRemove?.()}
      />
    </li>
  );
}

interface AccountOptOutsProps extends Pick<ViewProps, "account" | "isActive" | "deploys"> {
  readonly typed: string;
  readonly setTyped: (change: (typed: string) => string) => void;
}

function AccountOptOuts({ account, isActive, deploys, typed, setTyped }: AccountOptOutsProps) {
  const [scope, setScope] = useState<Scope>("all");
  const [csv, setCsv] = useState(getCsvForm);
  const [list, setList] = useState<List>({ entries: [], next: "" });
  const [counted, setCounted] = useState<OptOutCount | null>(null);
  const [wanted, setWanted] = useState({ number: typed.trim(), turn: 0 });
  const isAdding = useRef("");
  const found = useSaid();
  const did = useSaid();
  const mayRead = RED.user.hasPermission(READ_OPT_OUTS);
  const mayWrite = RED.user.hasPermission(WRITE_OPT_OUTS);
  const number = typed.trim();
  const search = (text: string): void => setWanted(({ turn }) => ({ number: text, turn: turn + 1 }));

  /** Shows the whole list, or one number of it, and how many there are. */
  const look = async (isCurrent: () => boolean): Promise<void> => {
    try {
      const count = await post<OptOutCount>(account, "opt-outs/count");
      let shown: List = { entries: [], next: "" };
      let text = "";
      if (mayRead && wanted.number === "") {
        shown = await post<OptOutPage>(account, "opt-outs/list", { after: "" });
      } else if (mayRead) {
        const one = await post<OptOutFound>(account, "opt-outs/find", { number: wanted.number });
        shown = { entries: one.entry === null ? [] : [one.entry], next: "" };
        text = one.entry === null ? texts("optOuts.notFound", { number: one.number }) : "";
      }
      if (isCurrent()) {
        setCounted(count);
        setList(shown);
        found.say(text);
      }
    } catch (failure) {
      if (isCurrent()) {
        setList({ entries: [], next: "" });
        found.say(failureText(failure), true);
      }
    }
  };
  useEffect(() => {
    if (!isActive) return;
    let isCurrent = true;
    found.say(texts("optOuts.loading"));
    void look(() => isCurrent);
    return () => {
      isCurrent = false;
    };
  }, [isActive, deploys, wanted]);

  const readMore = async (): Promise<void> => {
    try {
      const { entries, next } = await post<OptOutPage>(account, "opt-outs/list", { after: list.next });
      setList({ entries: [...list.entries, ...entries], next });
    } catch (failure) {
      found.say(failureText(failure), true);
    }
  };

  /** Shows the result of a change, and the whole list after it. What is typed in between stays. */
  const change = async (changed: Promise<string>): Promise<void> => {
    did.say("");
    if (await did.report(changed)) {
      setTyped((now) => (now.trim() === number ? "" : now));
      search("");
    }
  };
  const add = async (): Promise<void> => {
    const adding = `${scope} ${number}`;
    // Pressed twice: the second response would be that the list has the number already.
    if (isAdding.current === adding || number === "") return;
    isAdding.current = adding;
    const added = post<OptOutChange>(account, "opt-outs/add", { number, scope });
    await change(
      added.then((done) => texts(done.changed ? "optOuts.added" : "optOuts.known", { number: done.number })),
    );
    isAdding.current = "";
  };
  const remove = (which: string): void => {
    const question = texts("optOuts.remove.question", { number: which, account: accountLabel(account) });
    ask(question, texts("optOuts.remove.yes"), () => {
      const removed = post<OptOutChange>(account, "opt-outs/remove", { number: which });
      void change(
        removed.then(({ changed }) =>
          texts(`optOuts.remove.${changed ? "done" : "gone"}`, { number: which }),
        ),
      );
    });
  };
  const saveFile = (): void => {
    did.say(texts("optOuts.saving"));
    const input = { csv: csvRequest(csv, TABLE) };
    void did.report(save(account, "opt-outs/export", input, "opt-outs.csv").then(() => ""));
  };
  const searchTyped = (): void => {
    if (mayRead) {
      did.say("");
      search(number);
    }
  };

  const amount =
    counted === null ? null : counted.count === 0 ? "none" : counted.count === 1 ? "one" : "many";
  return (
    <>
      {counted?.memory && (
        <div class="messaging-notice">{texts("optOuts.memory", { account: accountLabel(account) })}</div>
      )}
      <div class="messaging-form">
        <div class="messaging-row">
          <TextInput
            label={texts("optOuts.number")}
            value={typed}
            onInput={(text) => setTyped(() => text)}
            onEnter={searchTyped}
          />
          {mayRead && <Button icon="search" tip={texts("optOuts.search")} onPress={searchTyped} />}
        </div>
        <div class="messaging-row">
          <Select
            label={texts("optOuts.scopeOfNew")}
            options={OPT_OUT_SCOPES.map((each) => [each, texts(`optOuts.scope.${each}`)])}
            value={scope}
            onChange={(value) => setScope(value as Scope)}
          />
          <Button
            icon="plus"
            text={texts("optOuts.add")}
            tip={texts(mayWrite ? "optOuts.addTip" : "optOuts.writeDenied")}
            disabled={!mayWrite || number === ""}
            onPress={() => void add()}
          />
        </div>
        {mayRead && (
          <div class="messaging-row">
            <CsvSelect form={csv} onChange={setCsv} />
            <Button icon="download" text="CSV" tip={texts("optOuts.save")} onPress={saveFile} />
          </div>
        )}
      </div>
      {counted !== null && (
        <div class="messaging-tally messaging-quiet">
          {texts(`optOuts.count.${amount}`, { n: counted.count })}
        </div>
      )}
      <Notice said={did.said} />
      <Notice said={found.said} />
      {!mayRead && <div class="messaging-notice">{texts("optOuts.denied")}</div>}
      <ul class="messaging-opt-outs">
        {list.entries.map((entry) => (
          <Entry key={entry.number} entry={entry} onRemove={mayWrite ? () => remove(entry.number) : null} />
        ))}
      </ul>
      {list.next !== "" && (
        <div class="messaging-row">
          <Button text={texts("optOuts.more")} onPress={() => void readMore()} />
        </div>
      )}
    </>
  );
}

/** The people who have opted out of messages of the chosen account. */
function OptOutsView({ account, isActive, deploys }: ViewProps) {
  const [typed, setTyped] = useState("");
  return (
    <AccountOptOuts
      key={account}
      account={account}
      isActive={isActive}
      deploys={deploys}
      typed={typed}
      setTyped={setTyped}
    />
  );
}

export const OPT_OUTS: View = { id: "opt-outs", label: "optOuts.title", Component: OptOutsView };
