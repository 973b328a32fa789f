import { excerpt } from "../../shared/excerpt";
import { showValue, type TextInput } from "./shown-value";

/** Displayed characters of a text that is too long to display completely. */
const BEGINNING = 300;

/**
 * Lets an input hold texts of any length; browsers need seconds to lay out a million characters. Of a text with more
 * than `longest` characters it displays the beginning, and becomes read-only.
 */
export function holdLongValue(element: TextInput, longest: number): void {
  const initial = element.value;
  let held: string | null = null;
  showValue(element, {
    read: (shown) => held ?? shown,
    show: (value) => {
      const isLong = value.length > longest;
      held = isLong ? value : null;
      element.readOnly = isLong;
      return isLong ? excerpt(value, BEGINNING, " …") : value;
    },
  });
  if (initial.length > longest) {
    element.value = initial;
  }
}
