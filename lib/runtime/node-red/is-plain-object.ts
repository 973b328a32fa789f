/**
 * Whether an object is of no class. Function nodes run in a context of their own, whose objects have another Object.prototype.
 * @param value an object
 */
export function isPlainObject(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
