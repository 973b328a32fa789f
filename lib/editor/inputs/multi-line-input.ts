import type { Dialog } from "../dialog/dialog";
import { convertPasted } from "../fields/paste";
import { showValue } from "../fields/shown-value";

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
  const element = inner[0] as HTMLInputElement | undefined;
  if (element === undefined) {
    return;
  }
  showValue(element, { show: toShown, read: toText });
  convertPasted(inner, (text) => (/[\r\n]/.test(text) ? toShown(text) : null));
  const saved = node[name];
  // The editor has put it into inputs that lost its line breaks.
  if (typeof saved === "string" && /[\r\n]/.test(saved)) {
    field.typedInput("value", saved);
  }
}
