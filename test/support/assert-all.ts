import assert from "node:assert/strict";

/** Asserts that each of some values is right. @throws AssertionError that lists those that are not */
export function assertAll<Value>(
  values: Iterable<Value>,
  isRight: (value: Value) => boolean,
  message?: string,
): void {
  assert.deepEqual(
    [...values].filter((value) => !isRight(value)),
    [],
    message,
  );
}
