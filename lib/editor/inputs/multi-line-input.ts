import type { Dialog } from "../dialog/dialog";
import { sharedTexts } from "../dialog/texts";

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

/** px: a text grows its input up to this height, and is scrolled beyond it. */
const HIGHEST = 170;

/** The widget of a TypedInput, as far as it is used: the input in which people type. */
interface TypedInputParts {
  input: JQuery;
}

interface Completion {
  autoComplete(action: "option", name: string): unknown;
  autoComplete(action: "destroy"): unknown;
  autoComplete(options: { readonly search: unknown; readonly minLength: number }): unknown;
}
const completionOf = (element: JQuery): Completion => element as unknown as Completion;

type Handlers = Readonly<Record<string, readonly { readonly handler: () => void }[]>>;

/** Hands the handlers and the completion of an input to another one. */
function takeOver(from: JQuery, to: JQuery): void {
  const search = from.hasClass("red-ui-autoComplete")
    ? completionOf(from).autoComplete("option", "search")
    : null;
  if (search !== null) {
    completionOf(from).autoComplete("destroy");
  }
  const query = $ as unknown as { _data(element: Element, name: string): Handlers | undefined };
  for (const [type, all] of Object.entries(query._data(from[0] as Element, "events") ?? {})) {
    for (const { handler } of all) {
      to.on(type, handler);
    }
  }
  if (search !== null) {
    completionOf(to).autoComplete({ search, minLength: 0 });
  }
}

/** Gives the TypedInput of a property an input of several lines, which grows with its text. A line break is typed in a text alone. */
export function growWithText({ node, input }: Dialog, name: string): void {
  const field = input(name);
  const parts = field.typedInput("instance" as never) as unknown as TypedInputParts;
  const line = parts.input;
  const area = $("<textarea>", { class: "red-ui-typedInput-input messaging-growing", rows: 1 });
  for (const { name: attribute, value } of Array.from((line[0] as Element).attributes)) {
    if (attribute !== "class" && attribute !== "type") {
      area.attr(attribute, value);
    }
  }
  area.val(String(line.val() ?? ""));
  takeOver(line, area);
  line.replaceWith(area);
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
