import { excerpt } from "../../shared/excerpt";
import { sharedTexts } from "../dialog/texts";
import { maskNumber } from "../../shared/recipients/mask-number";

const LONGEST = 30;

/** Describes a setting for a node's label: `msg.to`, `flow.list`, `+41791234567`. */
export function describeSource(source: unknown, value: unknown): string {
  const text = String(value ?? "").trim();
  switch (source) {
    case "msg":
      return `msg.${text}`;
    case "flow":
    case "global":
      // A prefix names a context store other than the default one.
      return `${source}.${text.replace(/^#:\(.+?\)::/, "")}`;
    case "env":
      return `$${text}`;
    case "jsonata":
      return sharedTexts("label.expression");
    default:
      return excerpt(text, LONGEST);
  }
}

/** Separators of typed numbers; blanks are part of a number. */
const BETWEEN = /[,;|\r\n\t]+/;

/** Shows the first number masked, and the count of others: `+4179…567 (+2)`. */
export function maskRecipients(value: unknown): string {
  const typed = String(value ?? "")
    .split(BETWEEN)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  const [first = ""] = typed;
  const shown = maskNumber(first);
  return typed.length > 1 ? `${shown} (+${typed.length - 1})` : shown;
}

export const describeRecipients = (source: unknown, value: unknown): string =>
  source === "str" ? maskRecipients(value) : describeSource(source, value);
