import { showValue, type TextInput } from "./shown-value";

/** Characters shown of a text that is too long to be shown as a whole. */
const BEGINNING = 300;

/**
 * Lets an input hold texts of any length, where browsers need seconds to lay out a million characters: of one with
 * more than `longest` it shows the beginning, and cannot be typed into.
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
      return isLong ? `${value.slice(0, BEGINNING)} …` : value;
    },
  });
  if (initial.length > longest) {
    element.value = initial;
  }
}
