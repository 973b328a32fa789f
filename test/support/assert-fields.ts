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
  const found = Object.entries(expected).map(([name, wanted]) => {
    const value = actual?.[name as keyof Value];
    return [name, wanted instanceof RegExp && wanted.test(String(value)) ? wanted : value];
  });
  assert.deepEqual(Object.fromEntries(found), expected);
}
