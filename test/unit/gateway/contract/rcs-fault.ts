import assert from "node:assert/strict";
import { checkRcsMessage } from "../../../../lib/gateway/contract/rcs-schemas";
import { FieldError } from "../../../../lib/shared/messaging-error";

/** Why a value is refused, or null. */
export function faultOf(value: unknown, check = checkRcsMessage): FieldError | null {
  try {
    check(value);
    return null;
  } catch (error) {
    assert.ok(error instanceof FieldError, String(error));
    return error;
  }
}

/** By title: the path that an error must name below that of its group, what it must say, and the faulty value. */
export type BadValues<Value> = Readonly<
  Record<string, readonly [path: string, saying: RegExp, value: Value]>
>;

/**
 * A test for each bad value.
 * @param at path of the group, before the paths of its values
 * @param build the message that holds a value there
 */
export function refuses<Value>(
  values: BadValues<Value>,
  at = "",
  build: (value: Value) => unknown = (value) => value,
): void {
  for (const [title, [path, saying, value]] of Object.entries(values)) {
    it(`refuse ${title}`, () => {
      const error = faultOf(build(value)) ?? assert.fail("taken");
      const expected = [at, path].filter((part) => part !== "").join(".");
      assert.deepEqual([error.code, error.field], ["FIELD_INVALID", expected]);
      assert.ok(error.message.startsWith(`${error.field} `), error.message);
      assert.match(error.message, saying);
    });
  }
}
