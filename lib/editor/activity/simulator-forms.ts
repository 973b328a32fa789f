import { STATUS_CODES } from "../../shared/outcomes";
import { INBOUND_CHANNELS } from "../../shared/simulator-panel";
import { button, el, select } from "./dom";
import { texts } from "./formatting";

/** Runs an action and returns whether it worked. */
export type Act = (action: string, input: object) => Promise<boolean>;

/** A one-line input that submits its text by Enter or its button, and is cleared when that worked. */
export function lineInput(
  label: string,
  buttonLook: { readonly icon: string; readonly tip: string },
  typed: (text: string) => Promise<boolean>,
): { readonly element: HTMLElement; readonly input: HTMLInputElement } {
  const input = textInput(label);
  const submit = (): void => {
    const text = input.value.trim();
    if (text === "") {
      input.focus();
      return;
    }
    void typed(text).then((worked) => {
      if (worked) {
        input.value = "";
      }
    });
  };
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter") {
      submit();
    }
  });
  return { element: el("div", "messaging-activity-row", input, button(buttonLook, submit)), input };
}

function textInput(label: string): HTMLInputElement {
  const input = el("input");
  input.type = "text";
  input.placeholder = label;
  input.setAttribute("aria-label", label);
  // Keys of the editor, such as Delete, must not act while the user types.
  input.addEventListener("keydown", (event) => event.stopPropagation());
  return input;
}

/** The form that simulates an inbound message. */
export function buildWriter(act: Act): HTMLElement {
  const channel = select(
    texts("simulator.channel"),
    INBOUND_CHANNELS.map((each) => [each, texts(`channel.${each}`)] as const),
  );
  const sender = textInput(texts("simulator.sender"));
  sender.value = "+41790000001";
  const text = lineInput(
    texts("simulator.text"),
    { icon: "paper-plane-o", tip: texts("simulator.send") },
    (typed) =>
      act("write", { channel: channel.value, sender: sender.value.replace(/[^+\d]/g, ""), text: typed }),
  );
  return el(
    "fieldset",
    "",
    el("legend", "", texts("simulator.write")),
    el("div", "messaging-activity-row", channel, sender),
    text.element,
  );
}

/** The form that sets the answer to the next message. */
export function buildNextAnswer(act: Act): HTMLElement {
  const names = new Map<number, Set<string>>();
  for (const { code, name } of STATUS_CODES) {
    names.set(code, (names.get(code) ?? new Set()).add(name));
  }
  const codes = [...names].sort(([one], [other]) => one - other);
  const code = select(
    texts("simulator.nextAnswer"),
    codes.map(([each, all]) => [String(each), `${each} ${[...all].join(" / ")}`] as const),
  );
  code.value = "5003";
  return el(
    "fieldset",
    "",
    el("legend", "", texts("simulator.nextAnswer")),
    el(
      "div",
      "messaging-activity-row",
      code,
      button({ text: texts("simulator.apply") }, () => {
        void act("next-answer", { statusCode: Number(code.value) });
      }),
      button({ icon: "undo", tip: texts("simulator.normal") }, () => {
        void act("normal", {});
      }),
    ),
  );
}
