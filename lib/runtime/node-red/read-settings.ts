import type { NumberRange } from "../../shared/fields/account-defaults";
import { SetupError } from "../../shared/messaging-error";
import { quoteValue } from "../../texts/quote-value";
import { sanitiseName } from "../../shared/sanitise-text";
import { variableName } from "../../shared/variable-name";

/**
 * Reads a text of a node's configuration. A `${NAME}` that Node-RED has not replaced is a missing variable and never a value.
 * @param label what the text is, such as "password of the account"
 * @throws SetupError UNRESOLVED_VARIABLE
 */
export function readText(label: string, value: string | undefined): string {
  const variable = variableName(value ?? "");
  if (variable !== null) {
    const name = sanitiseName(variable);
    throw new SetupError(
      "UNRESOLVED_VARIABLE",
      `The ${label} is set to the environment variable ${name}, which does not exist. Set ${name} where Node-RED is started, or enter the value itself.`,
    );
  }
  return value ?? "";
}

/**
 * Reads a number of a node's configuration, which may be a text; blank stands for the default.
 * @param label what the number is, such as "answer timeout (seconds) of the account"
 * @throws SetupError BAD_SETTING
 */
export function readNumber(
  label: string,
  configured: number | string | undefined,
  initial: number,
  { min, max, whole }: NumberRange,
): number {
  const found = Number(configured === undefined || configured === "" ? initial : configured);
  if (!(found >= min && found <= max) || (whole && !Number.isInteger(found))) {
    throw new SetupError(
      "BAD_SETTING",
      `The ${label} must be a ${whole ? "whole " : ""}number from ${min} to ${max}, but is ${quoteValue(String(configured))}.`,
    );
  }
  return found;
}
