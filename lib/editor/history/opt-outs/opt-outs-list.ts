import type { OptOutRow } from "../../../shared/opt-outs";
import { button, el } from "../../activity/dom";
import { texts } from "../../activity/formatting";
import { joined, quiet, titled } from "../../activity/parts";
import { longTime, shortTime } from "../wording";

/** Numbers that have opted out, in their order. */
export class OptOutsList {
  readonly element: HTMLElement;
  readonly #rows = el("ul", "messaging-opt-outs-rows");
  readonly #more: HTMLButtonElement;

  /** @param remove null for a user who must not take numbers off */
  constructor(
    private readonly remove: ((row: OptOutRow) => void) | null,
    more: () => void,
  ) {
    this.#more = button({ text: texts("optOuts.more") }, more);
    this.element = el("div", "", this.#rows, el("div", "messaging-opt-outs-more", this.#more));
    this.clear();
  }

  clear(): void {
    this.#rows.replaceChildren();
    this.#rows.hidden = true;
    this.#more.hidden = true;
  }

  /** Adds a page. @param goesOn whether there is another one */
  add(rows: readonly OptOutRow[], goesOn: boolean): void {
    this.#rows.append(...rows.map((row) => this.#row(row)));
    this.#rows.hidden = this.#rows.childElementCount === 0;
    this.#more.hidden = !goesOn;
  }

  #row(row: OptOutRow): HTMLElement {
    const { number, scope, since, source } = row;
    const off = button({ icon: "times", tip: texts("optOuts.remove.tip", { number }) }, () =>
      this.remove?.(row),
    );
    if (this.remove === null) {
      off.disabled = true;
      off.title = texts("optOuts.writeDenied");
    }
    return el(
      "li",
      "messaging-opt-outs-entry",
      el(
        "div",
        "messaging-opt-outs-facts",
        el("div", "messaging-opt-outs-number", number),
        quiet(
          joined(texts(`optOuts.scope.${scope}`), texts(`optOuts.source.${source}`)),
          " · ",
          titled("", shortTime(since), longTime(since)),
        ),
      ),
      off,
    );
  }
}
