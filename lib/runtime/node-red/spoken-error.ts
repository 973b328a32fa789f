import { FieldError, MessagingError } from "../../shared/messaging-error";
import { propertyName } from "../../texts/field-names";

/** Node-RED shows a text unfolded in the debug sidebar, an `Error` folded. Catch nodes read `code` from both. */
export function spokenError(error: unknown, type: string): unknown {
  if (!(error instanceof Error)) {
    return error;
  }
  const named = error instanceof FieldError ? error.named((field) => propertyName(type, field)) : error;
  // A primitive text cannot carry the code.
  return Object.assign(new String(named.message), {
    ...("code" in error && { code: error.code }),
    // An unexpected error of these nodes, for a bug report.
    ...(!(error instanceof MessagingError) && { stack: error.stack }),
  });
}
