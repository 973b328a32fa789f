import { maskNumber } from "../../shared/mask-number";
import { describeSource } from "./describe-source";

/** What may stand between two typed numbers; blanks are part of one. */
const BETWEEN = /[,;|\r\n\t]+/;

/** As `describeSource`, but of typed numbers only the first, masked, and how many there are besides: `+4179…567 (+2)`. */
export function describeRecipients(source: unknown, value: unknown): string {
  if (source !== "str") {
    return describeSource(source, value);
  }
  const typed = String(value ?? "")
    .split(BETWEEN)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  const [first = ""] = typed;
  const shown = maskNumber(first);
  return typed.length > 1 ? `${shown} (+${typed.length - 1})` : shown;
}
