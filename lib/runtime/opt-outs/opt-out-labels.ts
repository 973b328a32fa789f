import de from "../../../nodes/opt-out/locales/de/opt-out.json";
import en from "../../../nodes/opt-out/locales/en-US/opt-out.json";
import type { LabelsByLanguage } from "../../texts/field-labels";

export const OPT_OUT_LABELS: LabelsByLanguage = { "en-US": en["opt-out"].field, de: de["opt-out"].field };
