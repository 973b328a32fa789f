/** Approximate bytes in memory of any value that JSON can hold. */
export function sizeOfValue(value: unknown): number {
  if (typeof value === "string") return 24 + 2 * value.length;
  if (typeof value !== "object" || value === null) return 8;
  return Object.values(value).reduce<number>((sum, each) => sum + 16 + sizeOfValue(each), 32);
}
