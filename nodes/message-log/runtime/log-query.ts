import {
  CONVERSATION_LIMIT,
  LOG_CHANNELS,
  LOG_LIMIT,
  type LogKind,
  MOST_REPORT_DAYS,
  REPORT_STEPS,
} from "../../../lib/shared/fields/log-fields";
import { findIdProblem } from "../../../lib/gateway/contract/well-formed";
import { LONGEST_SEARCHED } from "../../../lib/shared/history/history";
import { FieldError } from "../../../lib/shared/messaging-error";
import { SHOWN_OUTCOMES, type ShownOutcome } from "../../../lib/shared/outcomes";
import { readPointInTime } from "../../../lib/shared/schedule/point-in-time";
import { oneNumber } from "../../../lib/shared/recipients/one-number";
import { quoteValue } from "../../../lib/texts/quote-value";
import { say } from "../../../lib/texts/say";
import type { FieldValues } from "../../../lib/runtime/fields/field-reader";
import { isTooLong } from "../../../lib/runtime/report/count-report";

const HOURLY = 48 * 3_600_000;

interface Period {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

export type HistoryKind = Exclude<LogKind, "state">;

/** A query of a message. Times are epoch ms, numbers digits without plus. */
export type LogQuery =
  | { readonly kind: "id"; readonly messageId: string }
  | { readonly kind: "number"; readonly number: string; readonly until: number | undefined }
  | (Period & {
      readonly kind: "search";
      readonly number: string | undefined;
      readonly name: string | undefined;
      readonly outcome: ShownOutcome | undefined;
      readonly node: string | undefined;
      readonly limit: number;
    })
  | {
      readonly kind: "report";
      readonly from: number | undefined;
      readonly to: number;
      readonly node: string | undefined;
      readonly channel: string | undefined;
      readonly outcome: ShownOutcome | undefined;
      readonly step: (typeof REPORT_STEPS)[number];
    }
  | {
      readonly kind: "conversation";
      readonly number: string;
      readonly from: number | undefined;
      readonly limit: number;
    };

const wrong = (field: string, problem: string): FieldError => new FieldError("FIELD_INVALID", field, problem);

function readText(value: unknown, field: string): string | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (typeof value !== "string" || value.trim() === "") {
    throw wrong(field, say("record.log.text", { value: quoteValue(value) }));
  }
  const problem = findIdProblem(value);
  if (problem !== null) {
    throw wrong(field, problem);
  }
  return value.trim();
}

/** The error omits the name because it goes to the log. */
function readName(value: unknown): string | undefined {
  if (value === undefined) {
    return undefined;
  }
  const name = typeof value === "string" ? value.trim() : "";
  if (name === "" || name.length > LONGEST_SEARCHED) {
    throw wrong("person", say("record.log.name", { most: LONGEST_SEARCHED }));
  }
  return name;
}

/** The error omits the number because it goes to the log. */
function readNumber(value: unknown, field: string, defaultCountry: string): string | undefined {
  if (value === undefined) {
    return undefined;
  }
  const number = oneNumber(value, defaultCountry);
  if (number === null) {
    throw wrong(field, say("record.log.number"));
  }
  return number;
}

function readTime(value: unknown, field: string, now: number): number | undefined {
  if (value === undefined) {
    return undefined;
  }
  const at = readPointInTime(value, now);
  if (at === null) {
    throw wrong(field, say("record.log.time", { value: quoteValue(value) }));
  }
  return at;
}

const isOutcome = (value: unknown): value is ShownOutcome =>
  (SHOWN_OUTCOMES as readonly unknown[]).includes(value);

function readOutcome(value: unknown): ShownOutcome | undefined {
  if (value === undefined || isOutcome(value)) {
    return value;
  }
  const outcomes = SHOWN_OUTCOMES.join(", ");
  throw wrong("outcome", say("record.log.outcome", { value: quoteValue(value), outcomes }));
}

function readWord<Word extends string>(
  value: unknown,
  field: string,
  words: readonly Word[],
): Word | undefined {
  if (value === undefined) {
    return undefined;
  }
  const found = words.find(
    (word) => typeof value === "string" && word.toLowerCase() === value.trim().toLowerCase(),
  );
  if (found === undefined) {
    throw wrong(field, say("record.log.word", { value: quoteValue(value), words: words.join(", ") }));
  }
  return found;
}

function readLimit(value: unknown, max: number): number {
  const limit = value ?? LOG_LIMIT.initial;
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1 || limit > max) {
    throw wrong("limit", say("record.log.limit", { max, value: quoteValue(value) }));
  }
  return limit;
}

/** A period that ends before it starts is an error, not an empty result. */
function readPeriod(values: FieldValues, now: number): Period {
  const [from, to] = [readTime(values.from, "from", now), readTime(values.to, "to", now)];
  if (from !== undefined && to !== undefined && to <= from) {
    throw wrong("to", say("record.log.period"));
  }
  return { from, to };
}

/** Too long a period is an error, not a shorter period. */
function reportQuery(values: FieldValues, now: number): LogQuery {
  const { from, to = now } = readPeriod(values, now);
  const isShort = from !== undefined && to - from <= HOURLY;
  const step = readWord(values.step, "step", REPORT_STEPS) ?? (isShort ? "hour" : "day");
  if (from !== undefined && from >= to) {
    throw wrong("from", say("record.log.begin"));
  }
  if (from !== undefined && isTooLong(from, to, step)) {
    throw wrong("from", say(`record.log.longest.${step}`, { days: MOST_REPORT_DAYS[step] }));
  }
  return {
    kind: "report",
    node: readText(values.sender, "sender"),
    channel: readWord(values.channel, "channel", LOG_CHANNELS),
    outcome: readOutcome(values.outcome),
    step,
    from,
    to,
  };
}

/** Checks the fields of one message. @throws FieldError FIELD_INVALID */
export function readLogQuery(
  kind: HistoryKind,
  values: FieldValues,
  defaultCountry: string,
  now: number,
): LogQuery {
  switch (kind) {
    case "id":
      return { kind, messageId: readText(values.messageId, "messageId") ?? "" };
    case "number":
      return {
        kind,
        number: readNumber(values.number, "number", defaultCountry) ?? "",
        until: readTime(values.until, "until", now),
      };
    case "search":
      return {
        kind,
        number: readNumber(values.recipient, "recipient", defaultCountry),
        name: readName(values.person),
        outcome: readOutcome(values.outcome),
        node: readText(values.sender, "sender"),
        ...readPeriod(values, now),
        limit: readLimit(values.limit, LOG_LIMIT.most),
      };
    case "report":
      return reportQuery(values, now);
    case "conversation":
      return {
        kind,
        number: readNumber(values.number, "number", defaultCountry) ?? "",
        from: readTime(values.from, "from", now),
        limit: readLimit(values.limit, CONVERSATION_LIMIT),
      };
  }
}
