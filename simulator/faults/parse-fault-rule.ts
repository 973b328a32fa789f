import { CONNECTION_FAULTS, type FaultAnswer, type FaultRule } from "./fault-rule";
import { isHeader } from "../util/is-header";
import { requireObject, requireValid, type Test } from "../util/require-fields";

const text: Test = (value) => typeof value === "string";
const flag: Test = (value) => typeof value === "boolean";
const integer: Test = (value) => Number.isSafeInteger(value);
const count: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const finalStatus: Test = (value) => integer(value) && (value as number) >= 200 && (value as number) <= 599;
const headerValue: Test = (value) => text(value) && isHeader("x", value as string);
const delay: Test = (value) => count(value) && (value as number) <= 2 ** 31 - 1;

const RULE: Readonly<Record<string, Test>> = {
  operation: text,
  recipient: text,
  content: text,
  skip: count,
  times: count,
  answer: isObject,
};

const ANY_ANSWER: Readonly<Record<string, Test>> = { accept: flag, delayMs: delay };

const ANSWERS: Readonly<Record<string, Readonly<Record<string, Test>>>> = {
  connection: { connection: (value) => (CONNECTION_FAULTS as readonly unknown[]).includes(value) },
  statusCode: {
    statusCode: integer,
    statusMessage: text,
    httpStatus: finalStatus,
    retryAfter: (value) => count(value) || headerValue(value),
    smsCount: (value) => value === "partial" || count(value),
  },
  httpStatus: {
    httpStatus: finalStatus,
    body: text,
    contentType: headerValue,
    headers: (value) =>
      isObject(value) &&
      Object.entries(value).every(([name, content]) => text(content) && isHeader(name, content as string)),
  },
};

/** Checks an external fault rule and copies it. Throws a TypeError that names the invalid field. */
export function parseFaultRule(value: unknown): FaultRule {
  const rule = requireObject("fault rule", value);
  requireValid("fault rule", rule, RULE, ["answer"]);
  const answer = requireObject("answer", rule.answer);
  const kind = Object.keys(ANSWERS).find((name) => name in answer);
  if (!kind) throw new TypeError(`answer: needs one of ${Object.keys(ANSWERS).join(", ")}`);
  requireValid("answer", answer, { ...ANSWERS[kind], ...ANY_ANSWER });
  // A copy, so that later changes by the caller do not change the plan. The checks above prove the type.
  return structuredClone({ ...rule, answer: answer as unknown as FaultAnswer });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
