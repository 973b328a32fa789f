import type { NumberRange } from "../../shared/fields/account-defaults";
import { sharedTexts } from "../dialog/texts";

export function findNumberFault(typed: string, { min, max, whole }: NumberRange): string | null {
  const text = typed.trim();
  const form = whole ? /^-?\d+$/ : /^-?\d+(\.\d+)?$/;
  if (!form.test(text)) {
    return sharedTexts(whole ? "fault.not-whole" : "fault.not-a-number");
  }
  const number = Number(text);
  if (number >= min && number <= max) {
    return null;
  }
  return max === Number.POSITIVE_INFINITY
    ? sharedTexts("fault.too-low", { min })
    : sharedTexts("fault.out-of-range", { min, max });
}
