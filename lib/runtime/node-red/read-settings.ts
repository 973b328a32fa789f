import type { NumberRange } from "../../shared/fields/account-defaults";
import { SetupError } from "../../shared/messaging-error";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import { sanitiseName } from "../../shared/sanitise-text";
import { variableName } from "../../shared/variable-name";

/** A `${NAME}` that Node-RED has not replaced is a missing variable. @throws SetupError UNRESOLVED_VARIABLE */
export function readText(label: string, value: string | undefined): string {
  const variable = variableName(value ?? "");
  if (variable !== null) {
    const name = sanitiseName(variable);
    throw new SetupError("UNRESOLVED_VARIABLE", say("account.UNRESOLVED_VARIABLE", { label, name }));
  }
  return value ?? "";
}

/**
 * Reads one of the words that a setting may be.
 * @param problem says what is wrong with the setting
 * @throws SetupError BAD_SETTING
 */
export function readChoice<Word>(words: readonly Word[], value: unknown, problem: () => string): Word {
  if (!words.includes(value as Word)) {
    throw new SetupError("BAD_SETTING", problem());
  }
  return value as Word;
}

/** Reads a number, which may be a text; blank stands for the default. @throws SetupError BAD_SETTING */
export function readNumber(
  label: string,
  configured: number | string | undefined,
  initial: number,
  { min, max, whole }: NumberRange,
): number {
  const found = Number(configured === undefined || configured === "" ? initial : configured);
  if (!(found >= min && found <= max) || (whole && !Number.isInteger(found))) {
    const value = quoteValue(String(configured));
    throw new SetupError(
      "BAD_SETTING",
      say(`account.number.${whole ? "whole" : "any"}`, { label, min, max, value }),
    );
  }
  return found;
}

export interface AnsweringConfig {
  readonly account: string;
  readonly kind: string;
  /** Path without `msg.`. */
  readonly resultProperty: string;
}

/** @throws SetupError BAD_SETTING */
export function readKind<Kind extends string>(
  kinds: readonly Kind[],
  configured: unknown,
  refused: (values: { readonly kind: string; readonly kinds: string }) => string,
): Kind {
  const found = kinds.find((each) => each === configured);
  if (found === undefined) {
    throw new SetupError("BAD_SETTING", refused({ kind: quoteValue(configured), kinds: kinds.join(", ") }));
  }
  return found;
}
