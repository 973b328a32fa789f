import { findIdProblem } from "../../../lib/gateway/contract/well-formed";
import { countCharacters } from "../../../lib/shared/characters";
import { LONGEST_CALLER, LONGEST_PURPOSE } from "../shared/code-fields";
import { callerNetwork } from "../../../lib/shared/network/ip-address";
import { FieldError } from "../../../lib/shared/messaging-error";
import { oneNumber } from "../../../lib/shared/recipients/one-number";
import { say } from "../texts";
import type { FieldValues } from "../../../lib/runtime/fields/field-reader";

export interface CodeRequest {
  readonly number: string;
  readonly purpose: string;
  /** As typed; blank if a code is made. */
  readonly code: string;
  /** Null without a limit of callers. An IPv6 address is its network of 64 bits. */
  readonly caller: string | null;
}

const wrong = (field: string, problem: string): FieldError => new FieldError("FIELD_INVALID", field, problem);

/** The error names no value: it goes to the log. */
function textOf(value: unknown, field: "purpose" | "caller", most: number): string {
  const text = typeof value === "string" ? value.trim() : "";
  if (text === "" || findIdProblem(text) !== null || countCharacters(text) > most) {
    throw wrong(field, say(`codes.${field}`, { most }));
  }
  return text;
}

/** The error names no number: it goes to the log. */
function numberOf(value: unknown, defaultCountry: string): string {
  const number = oneNumber(value, defaultCountry);
  if (number === null) {
    throw wrong("number", say("codes.number"));
  }
  return number;
}

/**
 * Checks the fields of one message.
 * @param hasCaller true if the node has a source of callers, so that each message needs one
 * @throws FieldError FIELD_INVALID
 */
export function readCodeRequest(
  { number, purpose, code = "", caller }: FieldValues,
  defaultCountry: string,
  hasCaller: boolean,
): CodeRequest {
  if (typeof code !== "string") {
    throw wrong("code", say("codes.code"));
  }
  return {
    number: numberOf(number, defaultCountry),
    purpose: textOf(purpose, "purpose", LONGEST_PURPOSE),
    code,
    caller: hasCaller ? callerNetwork(textOf(caller, "caller", LONGEST_CALLER)) : null,
  };
}
