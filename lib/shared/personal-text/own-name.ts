/** Excel starts UTF-8 CSV files with it, and Node-RED's *csv* node keeps it. */
const BYTE_ORDER_MARK = "\uFEFF";

export const shownName = (name: string): string =>
  name.startsWith(BYTE_ORDER_MARK) ? name.slice(BYTE_ORDER_MARK.length) : name;

/** Finds an own property with or without a byte order mark. */
export function ownName(source: object, name: string): string | null {
  if (Object.hasOwn(source, name)) {
    return name;
  }
  const marked = BYTE_ORDER_MARK + name;
  return Object.hasOwn(source, marked) ? marked : null;
}
