type Child = Node | string | null;

/** An element with a class and what is in it; texts are put in as texts, never as HTML. */
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

/** An icon of Font Awesome, by its name without `fa-`; nothing for those who cannot see it. */
export function icon(name: string): HTMLElement {
  const element = el("i", `fa fa-${name}`);
  element.setAttribute("aria-hidden", "true");
  return element;
}

/**
 * One of Node-RED's small buttons; its text stands beside the icon, or else in a tooltip. The browser's own: one of
 * Node-RED's would stay behind when a list is drawn anew under the mouse.
 */
export function button(
  options: { readonly icon?: string; readonly text?: string; readonly tip?: string },
  pressed: () => void,
): HTMLButtonElement {
  const { icon: name, text, tip } = options;
  const element = el("button", "red-ui-button red-ui-button-small", name ? icon(name) : null, text ?? null);
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

/** A choice of Node-RED's look. */
export function select(
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen: (value: string) => void = () => {},
): HTMLSelectElement {
  const element = el("select", "messaging-activity-select");
  element.setAttribute("aria-label", label);
  element.title = label;
  fillSelect(element, options);
  element.addEventListener("change", () => chosen(element.value));
  return element;
}

/** Replaces the options; what was chosen stays chosen where it still is there. */
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

/** Has Enter and the space bar press what is no button but works like one. */
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
