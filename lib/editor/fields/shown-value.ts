import { excerpt } from "../../shared/excerpt";

export type TextInput = HTMLInputElement | HTMLTextAreaElement;

export interface ShownValue {
  readonly show: (value: string) => string;
  readonly read: (shown: string) => string;
}

/** Makes an input display its value differently. Other code, such as the TypedInput, works with the value. */
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

const BEGINNING = 300;

/** Shows the beginning of a long text, read-only: browsers need seconds to lay out a million characters. */
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
