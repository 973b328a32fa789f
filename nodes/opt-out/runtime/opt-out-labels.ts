import de from "../locales/de/opt-out.json";
import en from "../locales/en-US/opt-out.json";
import type { LabelsByLanguage } from "../../../lib/texts/field-labels";

export const OPT_OUT_LABELS: LabelsByLanguage = { "en-US": en["opt-out"].field, de: de["opt-out"].field };
