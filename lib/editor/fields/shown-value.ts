export type TextInput = HTMLInputElement | HTMLTextAreaElement;

/** How an input shows its value, where that is not the value itself. */
export interface ShownValue {
  /** What is shown for a value, and kept in mind for `read`. */
  readonly show: (value: string) => string;
  /** The value that what is shown stands for, after the user may have changed it. */
  readonly read: (shown: string) => string;
}

/**
 * Makes an input show its value differently. Whoever reads or sets the value, the editor's TypedInput above all,
 * meets the value alone.
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
