import { excerpt } from "../../../shared/excerpt";
import { button, el } from "../dom";
import { texts } from "../formatting";

/** Characters that are shown before the user unfolds a text. */
const BEGINNING = 240;

/** A text with its line breaks; a long one shows its beginning, and all of it by a button. */
export function fullText(text: string): HTMLElement {
  const shown = el("span", "", excerpt(text, BEGINNING));
  const element = el("div", "messaging-activity-text", shown);
  if (text.length > BEGINNING) {
    let whole = false;
    const toggle = button({ text: texts("simulator.showAll") }, () => {
      whole = !whole;
      shown.textContent = whole ? text : excerpt(text, BEGINNING);
      toggle.textContent = texts(whole ? "simulator.showLess" : "simulator.showAll");
      toggle.setAttribute("aria-expanded", String(whole));
    });
    toggle.setAttribute("aria-expanded", "false");
    element.append(" ", toggle);
  }
  return element;
}
