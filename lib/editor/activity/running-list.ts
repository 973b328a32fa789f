import type { RunningSend } from "../../shared/activity";
import { actAsButton, arrange, el } from "./dom";
import { reveal } from "./node-lookup";
import { labelOf, formatCount, texts } from "./formatting";

interface Row {
  readonly element: HTMLElement;
  send: RunningSend;
}

/** Sends of several requests in progress, each with a progress bar and the remaining count. */
export class RunningList {
  readonly element = el("div", "messaging-activity-running");
  /** By the id of the send: a row that stays keeps the focus. */
  #rows: ReadonlyMap<number, Row> = new Map();

  show(running: readonly RunningSend[], count: number): void {
    const rows = running.map((send) => this.#row(send));
    this.#rows = new Map(rows.map((row) => [row.send.id, row]));
    const hidden = count - running.length;
    const rest =
      hidden > 0
        ? el("div", "messaging-activity-quiet", texts("running.others", { n: formatCount(hidden) }))
        : null;
    arrange(this.element, [...rows.map(({ element }) => element), ...(rest === null ? [] : [rest])]);
    this.element.hidden = rows.length === 0;
  }

  #row(send: RunningSend): Row {
    const row = this.#rows.get(send.id) ?? newRow(send);
    row.send = send;
    fill(row);
    return row;
  }
}

function newRow(send: RunningSend): Row {
  const row = { element: el("div", "messaging-activity-run"), send };
  actAsButton(row.element, () => reveal(row.send));
  return row;
}

function fill({ element, send }: Row): void {
  const { done, total, simulated } = send;
  const share = total === 0 ? 1 : done / total;
  const bar = el("span");
  bar.style.width = `${(share * 100).toFixed(1)}%`;
  const track = el("div", "messaging-activity-track", bar);
  track.setAttribute("role", "progressbar");
  track.setAttribute("aria-valuenow", String(Math.floor(share * 100)));
  element.replaceChildren(
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
}
