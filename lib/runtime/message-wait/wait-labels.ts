import de from "../../../nodes/message-wait/locales/de/message-wait.json";
import en from "../../../nodes/message-wait/locales/en-US/message-wait.json";
import type { LabelsByLanguage } from "../../texts/field-labels";

export const WAIT_LABELS: LabelsByLanguage = {
  "en-US": en["message-wait"].field,
  de: de["message-wait"].field,
};
