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

/** Path that an error must name, what it must say, and the message. */
export type BadMessages = Readonly<Record<string, readonly [path: string, saying: RegExp, message: unknown]>>;

/** A test for each bad message. */
export function refuses(messages: BadMessages): void {
  for (const [title, [path, saying, message]] of Object.entries(messages)) {
    it(`refuse ${title}`, () => {
      const error = faultOf(message);
      assert.equal(error?.code, "FIELD_INVALID");
      assert.equal(error.field, path);
      assert.ok(error.message.startsWith(`${path} `), error.message);
      assert.match(error.message, saying);
    });
  }
}
