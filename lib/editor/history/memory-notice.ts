import { button, el } from "../activity/dom";
import { texts } from "../activity/formatting";

/**
 * Says that an account keeps messages in memory only, and leads to its dialog. Hidden at first.
 * @param what the view can therefore not show
 * @param open opens the dialog of the account
 */
export function memoryNotice(className: string, what: string, open: () => void): HTMLElement {
  const notice = el(
    "div",
    className,
    el("p", "", el("b", "", texts("history.memory.title"))),
    el("p", "", what),
    el("p", "", texts("history.memory.how")),
    button({ icon: "pencil", text: texts("history.memory.open") }, open),
  );
  notice.hidden = true;
  return notice;
}
