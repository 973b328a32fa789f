import type { StatusCode } from "../endpoints/codes";
import type { Fault } from "./fault-plan";
import type { FaultAnswer } from "./fault-rule";
import { SCRIPTED_RECIPIENTS } from "../messages/scripted-recipients";
import { SCRIPTED_STATUSES } from "../messages/scripted-statuses";

export interface FaultyRecipient {
  /** Digits without plus; capital letters stand for as many digits. */
  readonly pattern: string;
  readonly example: string;
  readonly meaning: string;
}

interface BuiltInFault extends FaultyRecipient {
  readonly answer: (digits: number, codes: ReadonlyMap<number, StatusCode>) => FaultAnswer | null;
}

const BUILT_IN_FAULTS: readonly BuiltInFault[] = [
  {
    pattern: "99900CCCC",
    example: "999004031",
    meaning: "answers with status code CCCC, if the service has it for this endpoint",
    answer: (statusCode, codes) => (codes.has(statusCode) ? { statusCode } : null),
  },
  {
    pattern: "99901HHH",
    example: "99901503",
    meaning: "answers with a bare HTTP status HHH (200 to 599) and without a status code",
    answer: (httpStatus) => (httpStatus >= 200 && httpStatus <= 599 ? bare(httpStatus) : null),
  },
  always("999020001", "accepts the message, then drops the connection without an answer", {
    connection: "drop-after-accept",
  }),
  always("999020002", "accepts the message and never answers", { connection: "stall" }),
  always("999020003", "accepts the message and answers with bytes that are not HTTP", {
    connection: "garbage",
  }),
  always("999020004", "accepts the message and reports one SMS fewer than there are recipients", {
    statusCode: 2000,
    smsCount: "partial",
  }),
];

function always(pattern: string, meaning: string, answer: FaultAnswer): BuiltInFault {
  return { pattern, example: pattern, meaning, answer: () => answer };
}

/** All numbers with built-in behaviour, below the unassigned country code +999. Other numbers are ordinary recipients. */
export const FAULTY_RECIPIENTS: readonly FaultyRecipient[] = [
  ...BUILT_IN_FAULTS,
  ...SCRIPTED_STATUSES,
  ...SCRIPTED_RECIPIENTS,
];

/** A redirection points to the same endpoint, so that the log shows clients that follow it. */
function bare(httpStatus: number): FaultAnswer {
  const redirection = httpStatus >= 300 && httpStatus < 400;
  return {
    httpStatus,
    body: `bare HTTP ${httpStatus}\n`,
    ...(redirection ? { headers: { location: "?redirected=true" } } : {}),
  };
}

const FORMS = BUILT_IN_FAULTS.map((fault) => ({
  fault,
  form: new RegExp(`^\\+?${fault.pattern.replace(/[A-Z]+/, (letters) => `(\\d{${letters.length}})`)}$`),
}));

export function findFaultyRecipient(
  recipients: readonly string[],
  codes: ReadonlyMap<number, StatusCode>,
): Fault | null {
  for (const recipient of recipients) {
    for (const { fault, form } of FORMS) {
      const match = form.exec(recipient);
      const answer = match && fault.answer(Number(match[1]), codes);
      if (answer) return { id: "faulty-recipient", answer };
    }
  }
  return null;
}
