import assert from "node:assert/strict";

/** Values of some fields; a regular expression stands for a text that it matches. */
export type ExpectedFields<Value> = { readonly [Name in keyof Value]?: Value[Name] | RegExp };

/**
 * Asserts that `actual` has these fields, with deeply equal values. It may have others.
 * @throws AssertionError that shows the fields in question
 */
export function assertFields<Value extends object>(
  actual: Value | null | undefined,
  expected: ExpectedFields<Value>,
): void {
  const found = Object.keys(expected).map((name) => [name, actual?.[name as keyof Value]]);
  assertShape(Object.fromEntries(found), expected);
}

/**
 * Asserts that a value made of plain objects and lists equals `expected`, in which a regular expression stands for any
 * text that it matches.
 * @throws AssertionError that shows the differences
 */
export function assertShape(actual: unknown, expected: unknown): void {
  assert.deepEqual(accepted(actual, expected), expected);
}

/** `actual` with the expected regular expression in the place of each text that it matches. */
function accepted(actual: unknown, expected: unknown): unknown {
  if (expected instanceof RegExp) return expected.test(String(actual)) ? expected : actual;
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return actual.map((each, at) => accepted(each, expected[at]));
  }
  if (!isObject(actual) || !isObject(expected)) return actual;
  return Object.fromEntries(
    Object.entries(actual).map(([name, value]) => [name, accepted(value, expected[name])]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
