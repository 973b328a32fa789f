/** Excel puts it before the first column name of a CSV file in UTF-8, and Node-RED's *csv* node leaves it there. */
const BYTE_ORDER_MARK = "\uFEFF";

/** The name of a property as people see it and type it: without a byte order mark in front. */
export const shownName = (name: string): string =>
  name.startsWith(BYTE_ORDER_MARK) ? name.slice(BYTE_ORDER_MARK.length) : name;

/** The name under which an object itself has a property, with or without a byte order mark; null where it has none. */
export function ownName(source: object, name: string): string | null {
  if (Object.hasOwn(source, name)) {
    return name;
  }
  const marked = BYTE_ORDER_MARK + name;
  return Object.hasOwn(source, marked) ? marked : null;
}
