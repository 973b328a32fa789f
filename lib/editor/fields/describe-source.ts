import { excerpt } from "../../shared/excerpt";
import { sharedTexts } from "../dialog/texts";

const LONGEST = 30;

/** A field's setting in a few characters, for a node's label: `msg.to`, `flow.list`, `+41791234567`. */
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
