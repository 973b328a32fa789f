interface LaterRow {
  readonly element: Element;
  readonly build: () => void;
}

/** True if an element is not hidden and in no folded group. Scrolling does not matter. */
export function isShown(element: Element, form: Element): boolean {
  for (let at: Element | null = element; at !== null && at !== form; at = at.parentElement) {
    const isFolded = at !== element && at instanceof HTMLDetailsElement && !at.open;
    if (isFolded || (at as HTMLElement).style.display === "none") {
      return false;
    }
  }
  return true;
}

/** Builds the inputs of a row when it is first shown. */
export class LaterRows {
  readonly #form: Element;
  #waiting: LaterRow[] = [];

  /** @param shown called when rows were built after the dialog had been prepared */
  constructor(form: Element, shown: () => void) {
    this.#form = form;
    const observer = new MutationObserver(() => this.buildShown() && shown());
    // Runs before the browser draws the unfolded group, so that no unfinished row is visible.
    observer.observe(form, { subtree: true, attributes: true, attributeFilter: ["open"] });
  }

  /** Returns true if `build` was called at once. */
  add(element: Element, build: () => void): boolean {
    const now = isShown(element, this.#form);
    if (now) {
      build();
    } else {
      this.#waiting.push({ element, build });
    }
    return now;
  }

  buildShown(): boolean {
    const shown = this.#waiting.filter(({ element }) => isShown(element, this.#form));
    this.#waiting = this.#waiting.filter((row) => !shown.includes(row));
    for (const { build } of shown) {
      build();
    }
    return shown.length > 0;
  }
}
