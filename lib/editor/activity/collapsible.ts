import { actAsButton, el, icon } from "./dom";

/** A part of a view with a heading that opens and closes it; closed at first. */
export class Collapsible {
  readonly element: HTMLElement;
  isOpen = false;
  readonly #summary = el("span", "messaging-part-summary");

  /**
   * @param name class of the part
   * @param title what stands in the heading
   * @param body hidden while the part is closed
   */
  constructor(
    name: string,
    title: readonly (Node | string)[],
    body: HTMLElement,
    toggled: () => void = () => {},
  ) {
    const heading = el("div", "messaging-activity-heading", icon("angle-right"), ...title, this.#summary);
    heading.setAttribute("aria-expanded", "false");
    actAsButton(heading, () => {
      this.isOpen = !this.isOpen;
      body.hidden = !this.isOpen;
      this.element.classList.toggle("open", this.isOpen);
      heading.setAttribute("aria-expanded", String(this.isOpen));
      toggled();
    });
    body.hidden = true;
    this.element = el("div", `messaging-part ${name}`, heading, body);
  }

  /** The text beside the title. */
  set summary(text: string) {
    this.#summary.textContent = text;
  }
}
