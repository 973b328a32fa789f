import { FieldError, MessagingError } from "../../shared/messaging-error";
import { propertyName } from "../../texts/field-names";

/**
 * An error as `done` and `node.error` of Node-RED get it: a text with the error's `code`. Node-RED shows an `Error` in the debug sidebar
 * as a folded object of name and stack, but a text as itself. Catch nodes get `msg.error.message` and `msg.error.code` of both.
 * What is no error stays as it is.
 * @param type of the node: its dialog has the labels of the fields
 */
export function spokenError(error: unknown, type: string): unknown {
  if (!(error instanceof Error)) {
    return error;
  }
  const named = error instanceof FieldError ? error.named((field) => propertyName(type, field)) : error;
  // A primitive text cannot carry the code.
  return Object.assign(new String(named.message), {
    ...("code" in error && { code: error.code }),
    // Of a fault of these nodes themselves, for whoever mends it.
    ...(!(error instanceof MessagingError) && { stack: error.stack }),
  });
}
