import { type KnownTemplate, templatesPath } from "../../../lib/shared/known-template";
import { askRuntime } from "../../../lib/editor/dialog/ask-runtime";
import { currentValue, type Dialog } from "../../../lib/editor/dialog/dialog";
import { whenChanged } from "../../../lib/editor/dialog/when-changed";
import type { Completions } from "../../../lib/editor/inputs/field-input";
import type { Texts } from "../../../lib/editor/dialog/texts";
import { TEMPLATE_TEXT } from "./template-editor";
import { TemplateChoices } from "./template-choices";
import { TemplateLocales } from "./template-locales";

const [NAME, LOCALE] = ["templateName", "templateLocale"] as const;

/** Any other name or language can be typed. */
export function prepareTemplateChoices(
  { node, input, watch }: Dialog,
  texts: Texts,
): { readonly completions: Completions; readonly built: (name: string) => void } {
  const locales = new TemplateLocales(RED.i18n.lang() ?? "en");
  const choices = new TemplateChoices(locales);
  const typed = (name: string): string | null => {
    const field = input(name);
    return field.data("noderedTypedInput") !== undefined && field.typedInput("type") === "str"
      ? String(field.typedInput("value"))
      : null;
  };
  const put = (name: string, value: string): void => {
    if (typed(name) !== value) {
      input(name).typedInput("type", "str");
      input(name).typedInput("value", value);
    }
  };
  let putText = "";
  const use = (): void => {
    const chosen = choices.chosen(typed(NAME) ?? "");
    if (chosen !== undefined) {
      put(NAME, chosen.name);
      put(LOCALE, chosen.locale);
      // Shows how many values the template takes. A pasted text stays.
      const text = input(TEMPLATE_TEXT);
      if (chosen.text !== undefined && (text.val() === "" || text.val() === putText)) {
        putText = chosen.text;
        text.val(putText).trigger("change");
      }
    }
  };
  const spell = (): void => {
    const text = typed(LOCALE);
    if (text !== null && text !== "") {
      put(LOCALE, locales.codeOf(text));
    }
  };
  const know = whenChanged(({ id, simulated }: { readonly id: string; readonly simulated: boolean }) => {
    choices.know([]);
    if (id !== "") {
      void askRuntime(templatesPath(id), { simulated }).then(({ ok, body }) => {
        if (ok && id === accountId()) {
          choices.know(body.templates as readonly KnownTemplate[]);
        }
      });
    }
  });
  const accountId = (): string => String(currentValue(node, "account") ?? "");
  const untyped = texts("template.choose");
  return {
    completions: {
      [NAME]: (text) => choices.search(text, untyped),
      [LOCALE]: (text) => locales.search(text, untyped, choices.localesOf(typed(NAME) ?? "")),
    },
    built(name) {
      if (name !== NAME && name !== LOCALE) {
        return;
      }
      if (name === NAME) {
        // Requested only when a template is to be chosen.
        watch(() => {
          const account = RED.nodes.node(accountId());
          know({ id: account ? accountId() : "", simulated: account?.service !== "service" });
        });
      }
      const inner = input(name).parent().find(".red-ui-typedInput-input");
      // Node-RED opens the list only by the arrow key.
      inner.on("click", () => inner.val() === "" && inner.trigger("keyup"));
      input(name).on("change", name === NAME ? use : spell);
      if (name === NAME) {
        // The editor reports no choice by Enter.
        inner.on("keyup", use);
      }
    },
  };
}
