import type { Dialog } from "../dialog/dialog";
import { sharedTexts } from "../dialog/texts";

interface TypedInputWidget {
  value(): string;
  value(text: string): void;
}

/** Named "text": the editor's word "string" belongs to programmers. */
export const textType = () => ({
  value: "str",
  label: sharedTexts("source.text"),
  icon: "red/images/typedInput/az.svg",
});

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

/** px; longer texts scroll. */
const HIGHEST = 170;

interface TypedInputParts {
  input: JQuery;
}

interface Completion {
  autoComplete(action: "option", name: string): unknown;
  autoComplete(action: "destroy"): unknown;
  autoComplete(options: { readonly search: unknown; readonly minLength: number }): unknown;
}
const toCompletion = (element: JQuery): Completion => element as unknown as Completion;

/** Events of its input that the TypedInput handles. */
const EVENTS = "focus blur change keyup paste keydown";

function takeOver(from: JQuery, to: JQuery): void {
  const search = from.hasClass("red-ui-autoComplete")
    ? toCompletion(from).autoComplete("option", "search")
    : null;
  if (search !== null) {
    toCompletion(from).autoComplete("destroy");
  }
  to.on(EVENTS, (event) => from.triggerHandler(event as never));
  if (search !== null) {
    toCompletion(to).autoComplete({ search, minLength: 0 });
  }
}

/** Replaces the input of a TypedInput by a growing text area. Only texts allow line breaks. */
export function growWithText({ node, input }: Dialog, name: string): void {
  const field = input(name);
  const parts = field.typedInput("instance" as never) as unknown as TypedInputParts;
  const line: JQuery | undefined = parts.input;
  if (line?.[0] === undefined) {
    throw new Error("The TypedInput of this Node-RED has no input that can be replaced.");
  }
  const area = $("<textarea>", { class: "red-ui-typedInput-input messaging-growing", rows: 1 });
  for (const { name: attribute, value } of Array.from(line[0].attributes)) {
    if (attribute !== "class" && attribute !== "type") {
      area.attr(attribute, value);
    }
  }
  area.val(String(line.val() ?? ""));
  takeOver(line, area);
  // By the DOM: jQuery would remove the handlers of the input.
  line[0].replaceWith(...area);
  parts.input = area;
  const element = area[0] as HTMLTextAreaElement;
  const grow = (): void => {
    element.style.height = "";
    element.style.height = `${Math.min(element.scrollHeight, HIGHEST)}px`;
  };
  area.on("input change focus", grow).on("keydown", (event) => {
    if (event.key === "Enter" && field.typedInput("type") !== "str") {
      event.preventDefault();
    }
  });
  const saved = node[name];
  // The editor has filled it into an input that removed its line breaks.
  if (typeof saved === "string" && /[\r\n]/.test(saved)) {
    field.typedInput("value", saved);
  }
  grow();
}
