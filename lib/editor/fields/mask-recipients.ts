import { maskNumber } from "../../shared/recipients/mask-number";

/** What may stand between two typed numbers; blanks are part of one. */
const BETWEEN = /[,;|\r\n\t]+/;

/** Of typed numbers only the first, masked, and how many there are besides: `+4179…567 (+2)`. */
export function maskRecipients(value: unknown): string {
  const typed = String(value ?? "")
    .split(BETWEEN)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  const [first = ""] = typed;
  const shown = maskNumber(first);
  return typed.length > 1 ? `${shown} (+${typed.length - 1})` : shown;
}
