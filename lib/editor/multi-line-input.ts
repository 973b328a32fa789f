import type { Dialog } from "./dialog";
import { convertPasted } from "./paste";

/** Shown in the place of a line break, which an input of one line would drop. */
const MARK = "⏎";

const toShown = (text: string): string => text.replace(/\r\n?|\n/g, MARK);
const toText = (shown: string): string => shown.replaceAll(MARK, "\n");

interface TypedInputWidget {
  value(): string;
  value(text: string): void;
}

/** The literal text of a TypedInput, with the button that opens it in an editor of many lines. */
export const multiLineType = () => ({
  value: "str",
  label: RED._("typedInput.type.str"),
  icon: "red/images/typedInput/az.svg",
  expand(this: TypedInputWidget) {
    RED.editor.editText({
      value: this.value(),
      mode: "text",
      focus: true,
      complete: (text: string) => this.value(text),
    } as never);
  },
});

/** Lets the TypedInput of a property hold line breaks: what reads or writes its value meets them as they are. */
export function keepLineBreaks({ node, input }: Dialog, name: string): void {
  const field = input(name);
  const inner = field.parent().find(".red-ui-typedInput-input");
  const element = inner[0];
  if (element === undefined) {
    return;
  }
  // An input drops line breaks itself, so its own value holds marks in their place.
  const native = HTMLInputElement.prototype;
  Object.defineProperty(element, "value", {
    configurable: true,
    get: () => toText(Reflect.get(native, "value", element)),
    set: (text: unknown) => {
      Reflect.set(native, "value", toShown(String(text ?? "")), element);
    },
  });
  convertPasted(inner, (text) => (/[\r\n]/.test(text) ? toShown(text) : null));
  const saved = node[name];
  // The editor has put it into inputs that lost its line breaks.
  if (typeof saved === "string" && /[\r\n]/.test(saved)) {
    field.typedInput("value", saved);
  }
}
