type Child = Node | string | null;

/** An element with a class and children; strings become text nodes, never HTML. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = "",
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = className;
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** An icon of Font Awesome, by its name without `fa-`; hidden from screen readers. */
export function icon(name: string): HTMLElement {
  const element = el("i", `fa fa-${name}`);
  element.setAttribute("aria-hidden", "true");
  return element;
}

/**
 * One of Node-RED's small buttons with a text beside the icon, or a tooltip. The tooltip is the browser's: a tooltip of
 * Node-RED would remain when a list is redrawn under the mouse.
 */
export function button(
  options: { readonly icon?: string; readonly text?: string; readonly tip?: string },
  pressed: () => void,
): HTMLButtonElement {
  const { icon: name, text, tip } = options;
  const label = text !== undefined && name ? ` ${text}` : (text ?? null);
  const element = el("button", "red-ui-button red-ui-button-small", name ? icon(name) : null, label);
  element.type = "button";
  if (tip !== undefined) {
    element.setAttribute("aria-label", tip);
    element.title = tip;
  }
  element.addEventListener("click", (event) => {
    event.preventDefault();
    event.stopPropagation();
    pressed();
  });
  return element;
}

/** A one-line input whose keys, such as Delete, do not act on the editor while the user types. @param entered called at Enter */
export function textInput(label: string, entered: () => void = () => {}): HTMLInputElement {
  const input = el("input");
  input.type = "text";
  input.placeholder = label;
  input.setAttribute("aria-label", label);
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter") {
      entered();
    }
  });
  return input;
}

/** A select with Node-RED's style, whose tooltip has the whole text of the chosen option. */
export function select(
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen: (value: string) => void = () => {},
): HTMLSelectElement {
  const element = el("select", "messaging-activity-select");
  element.setAttribute("aria-label", label);
  element.title = label;
  // A narrow sidebar cuts the chosen text.
  element.addEventListener("pointerenter", () => {
    const text = element.selectedOptions[0]?.text ?? "";
    element.title = text === "" ? label : `${label}: ${text}`;
  });
  fillSelect(element, options);
  element.addEventListener("change", () => chosen(element.value));
  return element;
}

/** Replaces the options; the chosen value stays chosen if it still exists. */
export function fillSelect(
  element: HTMLSelectElement,
  options: readonly (readonly [value: string, text: string])[],
): void {
  const { value } = element;
  element.replaceChildren(...options.map(([each, text]) => new Option(text, each)));
  if (options.some(([each]) => each === value)) {
    element.value = value;
  }
}

/** Gives an element these children. Those that stay are not moved: that would take their focus, and the click on them. */
export function arrange(parent: HTMLElement, children: readonly HTMLElement[]): void {
  const stay = new Set<Element>(children);
  for (const each of [...parent.children].filter((child) => !stay.has(child))) {
    each.remove();
  }
  let next = parent.firstElementChild;
  for (const each of children) {
    if (each === next) {
      next = each.nextElementSibling;
    } else {
      parent.insertBefore(each, next);
    }
  }
}

/** Makes an element act as a button for mouse, Enter and space bar. */
export function actAsButton(element: HTMLElement, pressed: () => void): void {
  element.tabIndex = 0;
  element.setAttribute("role", "button");
  element.addEventListener("click", pressed);
  element.addEventListener("keydown", (event) => {
    if (event.target === element && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      pressed();
    }
  });
}
