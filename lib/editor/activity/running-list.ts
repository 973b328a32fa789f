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

  /** @param isWanted whether a send is one of the chosen account; null for all @param count of all, those not listed too */
  show(
    running: readonly RunningSend[],
    count: number,
    isWanted: ((send: RunningSend) => boolean) | null,
  ): void {
    const rows = running.filter((send) => isWanted?.(send) ?? true).map((send) => this.#row(send));
    this.#rows = new Map(rows.map((row) => [row.send.id, row]));
    const hidden = isWanted === null ? count - running.length : 0;
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
