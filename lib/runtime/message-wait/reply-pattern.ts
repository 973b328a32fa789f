import { RE2JS } from "re2js";
import { toLatinDigits } from "../../shared/decimal-digits";
import { SetupError } from "../../shared/messaging-error";
import { sanitiseText } from "../../shared/sanitise-text";
import { MAX_TEXT } from "../../shared/words/read-words";
import { say } from "../../texts/say";

/** The time of a comparison grows with the number of instructions and blocks the event loop. */
const MAX_PROGRAM = 1_000;

function compile(pattern: string): RE2JS {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern), RE2JS.CASE_INSENSITIVE);
  if (compiled.programSize() > MAX_PROGRAM) {
    throw new Error("expression too large");
  }
  return compiled;
}

/** @throws SetupError BAD_SETTING */
export function replyPattern(pattern: string): (text: string) => boolean {
  try {
    const compiled = compile(toLatinDigits(pattern));
    return (text) => compiled.test(toLatinDigits(text.slice(0, MAX_TEXT)));
  } catch (error) {
    const reason = (error as Error).message.replace("error parsing regexp: ", "");
    throw new SetupError("BAD_SETTING", say("waits.pattern.pattern", { reason: sanitiseText(reason, 100) }));
  }
}
