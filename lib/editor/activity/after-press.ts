/**
 * What is replaced under a pressed mouse button gets no click. The returned function draws at once, or, while somebody presses in
 * the element, when the click is over: each drawing then, in their order.
 */
export function afterPress(element: HTMLElement): (draw: () => void) => void {
  let waiting: (() => void)[] | null = null;
  element.addEventListener("pointerdown", ({ button }) => {
    // Another button than the first makes no click, and its menu may take the end of the press.
    if (waiting !== null || button !== 0) {
      return;
    }
    waiting = [];
    const released = (): void => {
      for (const end of ENDS) {
        document.removeEventListener(end, released, true);
      }
      // The click comes after this.
      setTimeout(() => {
        const draws = waiting ?? [];
        waiting = null;
        for (const draw of draws) {
          draw();
        }
      });
    };
    for (const end of ENDS) {
      document.addEventListener(end, released, true);
    }
  });
  return (draw) => {
    if (waiting === null) {
      draw();
    } else {
      waiting.push(draw);
    }
  };
}

/** A button that is let go outside the window, or a drag that began, ends a press as well. */
const ENDS = ["pointerup", "pointercancel", "dragend"] as const;
