import { useEffect, useRef, useState } from "preact/hooks";
import { READ_CONVERSATIONS } from "../../lib/shared/history/conversation-message";
import { READ_HISTORY } from "../../lib/shared/history/history";
import { texts } from "./shared/format";
import { Select } from "./shared/inputs";
import { getAccounts } from "./shared/nodes";
import { useRedEvents } from "./shared/use-red-events";
import type { View } from "./shared/view";
import type { ViewId } from "./view-ids";
import { VIEWS } from "./views";

/** A view that was asked for; another object for each time. */
interface Wanted {
  readonly view: ViewId;
}

/** True as long as the user sees the sidebar. */
function useIsSeen(element: { readonly current: HTMLElement | null }): boolean {
  const [isSeen, setSeen] = useState(true);
  useEffect(() => {
    const observer = new IntersectionObserver((seen) => setSeen(seen.at(-1)?.isIntersecting === true));
    observer.observe(element.current as HTMLElement);
    return () => observer.disconnect();
  }, []);
  return isSeen;
}

interface TabsProps {
  readonly views: readonly View[];
  readonly chosen: ViewId;
  readonly onChoose: (view: ViewId) => void;
}

function Tabs({ views, chosen, onChoose }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const move = (key: string): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined) return;
    const at = views.findIndex(({ id }) => id === chosen);
    const next = (at + step + views.length) % views.length;
    onChoose((views[next] as View).id);
    list.current?.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div
      ref={list}
      class="messaging-tabs"
      role="tablist"
      aria-label={texts("views")}
      onKeyDown={({ key }) => move(key)}
    >
      {views.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          class="messaging-tab"
          role="tab"
          id={`messaging-tab-${id}`}
          aria-controls={`messaging-view-${id}`}
          aria-selected={id === chosen}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {texts(label)}
        </button>
      ))}
    </div>
  );
}

/** The frame: tabs, the choice of the account, and the views. Views that were left stay as they are. */
export function Sidebar({ wanted }: { readonly wanted: Wanted }) {
  const frame = useRef<HTMLDivElement>(null);
  const isSeen = useIsSeen(frame);
  useRedEvents("nodes:add", "nodes:change", "nodes:remove", "flows:loaded");
  const deploys = useRedEvents("deploy");
  const [chosenAccount, setAccount] = useState("");
  const [chosenView, setView] = useState(wanted.view);
  const [opened, setOpened] = useState<ReadonlySet<ViewId>>(new Set());
  const [person, setPerson] = useState({ number: "" });
  useEffect(() => setView(wanted.view), [wanted]);
  useEffect(() => setOpened((before) => new Set([...before, chosenView])), [chosenView]);

  const accounts = getAccounts();
  const account = accounts.find(([id]) => id === chosenAccount)?.[0] ?? accounts[0]?.[0] ?? "";
  const views = VIEWS.filter(({ isOffered }) => isOffered?.(account) ?? true);
  const view = views.some(({ id }) => id === chosenView) ? chosenView : "history";
  const mayConverse = [READ_HISTORY, READ_CONVERSATIONS].every((each) => RED.user.hasPermission(each));
  const converse = (number: string): void => {
    setPerson({ number });
    setView("conversation");
  };
  return (
    <div class="messaging-frame" ref={frame}>
      <Tabs views={views} chosen={view} onChoose={setView} />
      {accounts.length > 1 && (
        // biome-ignore lint/a11y/noLabelWithoutControl: The select is inside.
        <label class="messaging-row messaging-account">
          <span>{texts("history.account")}</span>
          <Select label={texts("history.account")} options={accounts} value={account} onChange={setAccount} />
        </label>
      )}
      {accounts.length === 0 && <div class="messaging-notice">{texts("noAccount")}</div>}
      {views.map(({ id, Component }) => (
        <div
          key={id}
          class={`messaging-view messaging-view-${id}`}
          id={`messaging-view-${id}`}
          role="tabpanel"
          aria-labelledby={`messaging-tab-${id}`}
          hidden={id !== view}
        >
          {account !== "" && (id === view || opened.has(id)) && (
            <Component
              account={account}
              isActive={isSeen && id === view}
              deploys={deploys}
              person={person}
              converse={mayConverse ? converse : null}
            />
          )}
        </div>
      ))}
    </div>
  );
}
