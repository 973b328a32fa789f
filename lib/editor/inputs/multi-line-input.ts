import type { Dialog } from "../dialog/dialog";
import { convertPasted } from "../fields/paste";
import { sharedTexts } from "../dialog/texts";
import { showValue } from "../fields/shown-value";

/** Displayed instead of a line break, which a one-line input would remove. */
const MARK = "⏎";

const toShown = (text: string): string => text.replace(/\r\n?|\n/g, MARK);
const toText = (shown: string): string => shown.replaceAll(MARK, "\n");

interface TypedInputWidget {
  value(): string;
  value(text: string): void;
}

/** The literal text type of a TypedInput. The editor calls it "string", which is a word of programmers. */
export const textType = () => ({
  value: "str",
  label: sharedTexts("source.text"),
  icon: "red/images/typedInput/az.svg",
});

/** The same with a button that opens a multi-line editor. */
export const multiLineType = () => ({
  ...textType(),
  expand(this: TypedInputWidget) {
    RED.editor.editText({
      value: this.value(),
      mode: "text",
      focus: true,
      complete: (text: string) => this.value(text),
    } as never);
  },
});

/** Lets the TypedInput of a property hold line breaks; code that reads or writes its value gets them unchanged. */
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
  // The editor has filled it into an input that removed its line breaks.
  if (typeof saved === "string" && /[\r\n]/.test(saved)) {
    field.typedInput("value", saved);
  }
}
