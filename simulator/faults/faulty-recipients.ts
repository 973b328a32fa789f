import type { StatusCode } from "../endpoints/codes";
import type { Fault } from "./fault-plan";
import type { FaultAnswer } from "./fault-rule";
import { SCRIPTED_RECIPIENTS } from "../messages/scripted-recipients";
import { MAGIC_STATUSES } from "../messages/magic-statuses";

/** A group of telephone numbers that always provoke the same outcome. */
export interface FaultyRecipient {
  /** Digits without plus; a run of capital letters stands for as many digits. */
  readonly pattern: string;
  readonly example: string;
  readonly meaning: string;
}

interface MagicFault extends FaultyRecipient {
  /** @param digits those in the place of the letters, as a number; null when they mean nothing here. */
  readonly answer: (digits: number, codes: ReadonlyMap<number, StatusCode>) => FaultAnswer | null;
}

const MAGIC_FAULTS: readonly MagicFault[] = [
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
  {
    pattern: "999020001",
    example: "999020001",
    meaning: "accepts the message, then drops the connection without an answer",
    answer: () => ({ connection: "drop-after-accept" }),
  },
  {
    pattern: "999020002",
    example: "999020002",
    meaning: "accepts the message and never answers",
    answer: () => ({ connection: "stall" }),
  },
  {
    pattern: "999020003",
    example: "999020003",
    meaning: "accepts the message and answers with bytes that are not HTTP",
    answer: () => ({ connection: "garbage" }),
  },
  {
    pattern: "999020004",
    example: "999020004",
    meaning: "accepts the message and reports one SMS fewer than there are recipients",
    answer: () => ({ statusCode: 2000, smsCount: "partial" }),
  },
];

/** All under +999, a country code that nobody has. Any other number there is an ordinary recipient. */
export const FAULTY_RECIPIENTS: readonly FaultyRecipient[] = [
  ...MAGIC_FAULTS,
  ...MAGIC_STATUSES,
  ...SCRIPTED_RECIPIENTS,
];

/** A redirection leads back to the same endpoint: a client that follows it is seen in the log. */
function bare(httpStatus: number): FaultAnswer {
  const redirection = httpStatus >= 300 && httpStatus < 400;
  return {
    httpStatus,
    body: `bare HTTP ${httpStatus}\n`,
    ...(redirection ? { headers: { location: "?redirected=true" } } : {}),
  };
}

const FORMS = MAGIC_FAULTS.map((magic) => ({
  magic,
  form: new RegExp(`^\\+?${magic.pattern.replace(/[A-Z]+/, (letters) => `(\\d{${letters.length}})`)}$`),
}));

/** The fault for the first magic number among the recipients; null when there is none. */
export function findFaultyRecipient(
  recipients: readonly string[],
  codes: ReadonlyMap<number, StatusCode>,
): Fault | null {
  for (const recipient of recipients) {
    for (const { magic, form } of FORMS) {
      const match = form.exec(recipient);
      const answer = match && magic.answer(Number(match[1]), codes);
      if (answer) return { id: "magic", answer };
    }
  }
  return null;
}
