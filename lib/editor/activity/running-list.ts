import type { RunningSend } from "../../shared/activity";
import { actAsButton, el } from "./dom";
import { reveal } from "./node-lookup";
import { labelOf, formatCount, texts } from "./formatting";

/** Sends of several requests in progress, each with a progress bar and the remaining count. */
export class RunningList {
  readonly element = el("div", "messaging-activity-running");

  show(running: readonly RunningSend[], count: number): void {
    const rows = running.map(row);
    const hidden = count - running.length;
    const rest =
      hidden > 0
        ? el("div", "messaging-activity-quiet", texts("running.others", { n: formatCount(hidden) }))
        : null;
    this.element.replaceChildren(...rows, ...(rest === null ? [] : [rest]));
    this.element.hidden = rows.length === 0;
  }
}

function row(send: RunningSend): HTMLElement {
  const { done, total, simulated } = send;
  const share = total === 0 ? 1 : done / total;
  const bar = el("span");
  bar.style.width = `${(share * 100).toFixed(1)}%`;
  const track = el("div", "messaging-activity-track", bar);
  track.setAttribute("role", "progressbar");
  track.setAttribute("aria-valuenow", String(Math.floor(share * 100)));
  const element = el(
    "div",
    "messaging-activity-run",
    el(
      "div",
      "messaging-activity-line",
      el("span", "messaging-activity-who", labelOf(send) || texts("gone")),
      simulated ? el("span", "messaging-activity-simulated", texts("simulated")) : null,
      el("span", "messaging-activity-quiet", texts("running.left", { n: formatCount(total - done) })),
    ),
    track,
  );
  element.title = texts("running.of", { done: formatCount(done), total: formatCount(total) });
  actAsButton(element, () => reveal(send));
  return element;
}
