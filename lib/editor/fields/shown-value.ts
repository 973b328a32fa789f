import { excerpt } from "../../shared/excerpt";

export type TextInput = HTMLInputElement | HTMLTextAreaElement;

/** How an input displays its value, if not unchanged. */
export interface ShownValue {
  /** The displayed text of a value. */
  readonly show: (value: string) => string;
  /** The value of the displayed text, which the user may have changed. */
  readonly read: (shown: string) => string;
}

/**
 * Makes an input display its value differently. Code that reads or sets the value, such as the TypedInput of the
 * editor, works with the value, not with the displayed text.
 */
export function showValue(element: TextInput, { show, read }: ShownValue): void {
  const native = Object.getPrototypeOf(element) as TextInput;
  Object.defineProperty(element, "value", {
    configurable: true,
    get: () => read(Reflect.get(native, "value", element)),
    set: (value: unknown) => {
      Reflect.set(native, "value", show(String(value ?? "")), element);
    },
  });
}

/** Displayed characters of a text that is too long to display completely. */
const BEGINNING = 300;

/**
 * Lets an input hold texts of any length; browsers need seconds to lay out a million characters. Of a text with more
 * than `longest` characters it displays the beginning, and becomes read-only.
 */
export function holdLongValue(element: TextInput, longest: number): void {
  const initial = element.value;
  let held: string | null = null;
  showValue(element, {
    read: (shown) => held ?? shown,
    show: (value) => {
      const isLong = value.length > longest;
      held = isLong ? value : null;
      element.readOnly = isLong;
      return isLong ? excerpt(value, BEGINNING, " …") : value;
    },
  });
  if (initial.length > longest) {
    element.value = initial;
  }
}
