import { el } from "./dom";

/** A line that says something, read out by screen readers, an alert at once; hidden while there is nothing to say. */
export class Notice {
  readonly element: HTMLElement;

  constructor(className: string, role: "status" | "alert" = "status") {
    this.element = el("div", className);
    this.element.setAttribute("role", role);
    this.element.hidden = true;
  }

  say(text: string, wrong = false): void {
    this.element.textContent = text;
    this.element.hidden = text === "";
    this.element.classList.toggle("messaging-activity-wrong", wrong);
  }
}
