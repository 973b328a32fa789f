import { sharedTexts } from "../dialog/texts";
import { parseText } from "./parse-text";

/** Why a typed text can never be filled with values, such as braces without an end; or null. */
export function findPersonalFault(text: string): string | null {
  const parsed = parseText(text);
  return typeof parsed === "string" ? sharedTexts(`personal.fault.${parsed}`) : null;
}
