import deAccount from "../../nodes/config/locales/de/messaging-account.json";
import enAccount from "../../nodes/config/locales/en-US/messaging-account.json";
import type { Language } from "./catalogues";
import { currentLanguage } from "./say";

type Labels = Readonly<Record<string, string>>;

/** The labels of a node's dialog by property: those of its own catalogues, so that errors use the words of the dialog. */
export type LabelsByLanguage = Readonly<Record<Language, Labels>>;

/** Labels of the fields that every send node has. */
const SHARED: LabelsByLanguage = {
  "en-US": { ...enAccount.editor.field, ...enAccount.editor.rules.field },
  de: { ...deAccount.editor.field, ...deAccount.editor.rules.field },
};

/** Labels of a node without fields of its own. */
export const NO_LABELS: LabelsByLanguage = { "en-US": {}, de: {} };

/** Returns the label of a property in Node-RED's language; null if the dialog has none. */
export function fieldLabel(own: LabelsByLanguage, name: string): string | null {
  const language = currentLanguage();
  for (const labels of [own[language], SHARED[language]]) {
    if (Object.hasOwn(labels, name)) {
      return labels[name] ?? null;
    }
  }
  return null;
}
