import type { NumberRange } from "../../shared/fields/account-defaults";
import { SetupError } from "../../shared/messaging-error";
import { quoteValue } from "../../shared/quote-value";
import { sanitiseName } from "../../shared/sanitise-text";
import { variableName } from "../../shared/variable-name";

/**
 * A text of a node's configuration. A `${NAME}` that Node-RED could not replace is a forgotten variable, never a
 * real value.
 * @param label of what, as in "password of the account"
 * @throws SetupError UNRESOLVED_VARIABLE
 */
export function readText(label: string, value: string | undefined): string {
  const variable = variableName(value ?? "");
  if (variable !== null) {
    const name = sanitiseName(variable);
    throw new SetupError(
      "UNRESOLVED_VARIABLE",
      `The ${label} is set to the environment variable ${name}, which does not exist. Set ${name} where Node-RED is started, or type the value itself.`,
    );
  }
  return value ?? "";
}

/**
 * A number of a node's configuration, where it may come as a text; blank stands for the default.
 * @param label of what, as in "answer timeout (seconds) of the account"
 * @throws SetupError BAD_SETTING
 */
export function readNumber(
  label: string,
  typed: number | string | undefined,
  initial: number,
  { min, max, whole }: NumberRange,
): number {
  const found = Number(typed === undefined || typed === "" ? initial : typed);
  if (!(found >= min && found <= max) || (whole && !Number.isInteger(found))) {
    throw new SetupError(
      "BAD_SETTING",
      `The ${label} must be a ${whole ? "whole " : ""}number from ${min} to ${max}, but is ${quoteValue(String(typed))}.`,
    );
  }
  return found;
}
