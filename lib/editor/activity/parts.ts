import { actAsButton, el, icon } from "./dom";
import { texts } from "./formatting";

/** Elements that rows of the views have in common. */

type Child = Parameters<typeof el>[2];

/** Texts with a dot between them; those that are blank, null or false are left out. */
export const joined = (...parts: readonly (string | null | false)[]): string =>
  parts.filter(Boolean).join(" · ");

export const line = (...children: readonly Child[]): HTMLElement =>
  el("div", "messaging-activity-line", ...children);

export const quiet = (...children: readonly Child[]): HTMLElement =>
  el("div", "messaging-activity-quiet", ...children);

export function titled(className: string, content: Child, title: string): HTMLElement {
  const element = el("span", className, content);
  element.title = title;
  return element;
}

export const timeOf = (short: string, long: string): HTMLElement =>
  titled("messaging-activity-time", short, long);

/** The sign of a channel. @param name icon of Font Awesome */
export const channelSign = (name: string, channel: string): HTMLElement =>
  titled("messaging-activity-channel", icon(name), channel);

export const dot = (tone: string): HTMLElement =>
  el("i", `messaging-activity-dot messaging-activity-${tone}`);

/** The mark of what is simulated; null for what is not. */
export const simulatedMark = (simulated: boolean): HTMLElement | null =>
  simulated ? el("span", "messaging-activity-simulated", texts("simulated")) : null;

/** A bar that shows how much is done. @param label what a screen reader says */
export function progressBar(done: number, total: number, label?: string): HTMLElement {
  const share = total === 0 ? 100 : (done / total) * 100;
  const bar = el("span");
  bar.style.width = `${share.toFixed(1)}%`;
  const track = el("div", "messaging-activity-track", bar);
  track.setAttribute("role", "progressbar");
  track.setAttribute("aria-valuenow", String(Math.floor(share)));
  if (label !== undefined) {
    track.setAttribute("aria-label", label);
  }
  return track;
}

export const factList = (rows: readonly (readonly [name: string, value: Child])[]): HTMLElement =>
  el("dl", "", ...rows.map(([name, value]) => el("div", "", el("dt", "", name), el("dd", "", value))));

/** A row that unfolds to its details by mouse and keyboard. */
export class FoldingRow {
  readonly head: HTMLElement;
  readonly item: HTMLElement;
  /** Present while it is open. */
  panel: HTMLElement | null = null;

  /** @param opened fills the panel @param name another class of the head */
  constructor(
    private readonly opened: (panel: HTMLElement) => void,
    name = "",
  ) {
    this.head = el("div", `messaging-activity-entry ${name}`.trimEnd());
    this.item = el("div", "messaging-activity-item", this.head);
    this.head.setAttribute("aria-expanded", "false");
    actAsButton(this.head, () => this.#toggle());
  }

  #toggle(): void {
    const opens = this.panel === null;
    this.head.setAttribute("aria-expanded", String(opens));
    this.item.classList.toggle("open", opens);
    this.panel?.remove();
    this.panel = opens ? el("div", "messaging-activity-details") : null;
    if (this.panel !== null) {
      this.item.append(this.panel);
      this.opened(this.panel);
    }
  }
}
