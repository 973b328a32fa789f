import { FieldError, MessagingError } from "../../shared/messaging-error";
import type { LabelsByLanguage } from "../../texts/field-labels";
import { propertyName } from "../../texts/field-names";

/** Node-RED shows a text unfolded in the debug sidebar, an `Error` folded. Catch nodes read `code` from both. */
export function spokenError(error: unknown, labels: LabelsByLanguage): unknown {
  if (!(error instanceof Error)) {
    return error;
  }
  const named = error instanceof FieldError ? error.named((field) => propertyName(labels, field)) : error;
  // A primitive text cannot carry the code.
  return Object.assign(new String(named.message), {
    ...("code" in error && { code: error.code }),
    // An unexpected error of these nodes, for a bug report.
    ...(!(error instanceof MessagingError) && { stack: error.stack }),
  });
}
