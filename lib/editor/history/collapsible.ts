import { actAsButton, el, icon } from "../activity/dom";

/** A part of the view with a heading that opens and closes it; closed at first. */
export class Collapsible {
  readonly element: HTMLElement;
  readonly #summary = el("span", "messaging-history-summary");

  /**
   * @param name class of the part
   * @param content hidden while the part is closed
   */
  constructor(name: string, title: string, ...content: readonly HTMLElement[]) {
    const body = el("div", "messaging-history-body", ...content);
    const heading = el("div", "messaging-activity-heading", icon("angle-right"), title, this.#summary);
    heading.setAttribute("aria-expanded", "false");
    actAsButton(heading, () => {
      const opens = heading.getAttribute("aria-expanded") !== "true";
      body.hidden = !opens;
      this.element.classList.toggle("open", opens);
      heading.setAttribute("aria-expanded", String(opens));
    });
    body.hidden = true;
    this.element = el("div", `messaging-history-part ${name}`, heading, body);
  }

  /** The text beside the title. */
  set summary(text: string) {
    this.#summary.textContent = text;
  }
}
