import { STATUS_CODES } from "../../../shared/outcomes";
import { button, el, select } from "../dom";
import { texts } from "../formatting";
import type { AccountView } from "./simulator-conversation";

/** The form that sets the answer to the next message of the account, and says what it is as long as it is to come. */
export function nextAnswerForm(act: (action: string, input: object) => void) {
  const show = (view: AccountView["view"] | undefined): void => {
    const statusCode = view?.nextAnswer ?? null;
    undo.hidden = statusCode === null;
    state.textContent =
      statusCode === null ? "" : texts("simulator.answersNext", { statusCode: String(statusCode) });
  };
  const names = new Map<number, Set<string>>();
  for (const { code, name } of STATUS_CODES) {
    names.set(code, (names.get(code) ?? new Set()).add(name));
  }
  const codes = [...names].sort(([one], [other]) => one - other);
  const code = select(
    texts("simulator.nextAnswer"),
    codes.map(([each, all]) => [String(each), `${each} ${[...all].join(" / ")}`] as const),
  );
  code.value = "5003";
  const state = el("span", "messaging-simulator-state");
  state.setAttribute("role", "status");
  const undo = el(
    "div",
    "messaging-activity-row messaging-simulator-next",
    state,
    button({ icon: "undo", tip: texts("simulator.normal") }, () => act("normal", {})),
  );
  undo.hidden = true;
  const apply = button({ text: texts("simulator.apply") }, () =>
    act("next-answer", { statusCode: Number(code.value) }),
  );
  const element = el(
    "fieldset",
    "",
    el("legend", "", texts("simulator.nextAnswer")),
    el("div", "messaging-activity-row", code, apply),
    undo,
  );
  return { element, show };
}
