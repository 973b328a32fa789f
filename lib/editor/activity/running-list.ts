import type { RunningSend } from "../../shared/activity";
import { actAsButton, arrange, el } from "./dom";
import { labelOf, texts } from "./formatting";
import { reveal } from "./node-lookup";
import { line, progressBar, quiet, simulatedMark } from "./parts";

interface Row {
  readonly element: HTMLElement;
  send: RunningSend;
}

/** Sends of several requests in progress, each with a progress bar and the remaining count. */
export class RunningList {
  readonly element = el("div", "messaging-activity-running");
  /** By the id of the send: a row that stays keeps the focus. */
  #rows: ReadonlyMap<number, Row> = new Map();

  /** @param hidden how many others run that the runtime does not list */
  show(running: readonly RunningSend[], hidden: number): void {
    const rows = running.map((send) => this.#row(send));
    this.#rows = new Map(rows.map((row) => [row.send.id, row]));
    const rest = hidden > 0 ? [quiet(texts("running.others", { n: hidden }))] : [];
    arrange(this.element, [...rows.map(({ element }) => element), ...rest]);
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
  element.replaceChildren(
    line(
      el("span", "messaging-activity-who", labelOf(send) || texts("gone")),
      simulatedMark(simulated),
      el("span", "messaging-activity-quiet", texts("running.left", { n: total - done })),
    ),
    progressBar(done, total),
  );
  element.title = texts("running.of", { done, total });
}
