import { button, el, fillSelect, select } from "../dom";
import { texts } from "../formatting";
import type { SimulatorView } from "../../../shared/simulator-panel";

/** The code that is offered first: the service fails. */
const INITIAL = "5003";

/** The form that sets the answer to the next message of the account, and says what it is as long as it is to come. */
export function nextAnswerForm(act: (action: string, input: object) => void) {
  const show = (view: SimulatorView | undefined): void => {
    if (view !== undefined && code.options.length === 0) {
      fillSelect(
        code,
        view.answers.map((each) => [String(each.code), each.words] as const),
      );
      code.value = INITIAL;
    }
    const statusCode = view?.nextAnswer ?? null;
    undo.hidden = statusCode === null;
    state.textContent =
      statusCode === null ? "" : texts("simulator.answersNext", { statusCode: String(statusCode) });
  };
  const code = select(texts("simulator.nextAnswer"), []);
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
