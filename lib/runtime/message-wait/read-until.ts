import { WAIT_RANGE } from "../../shared/fields/wait-fields";
import { FieldError } from "../../shared/messaging-error";
import { readWaitUntil } from "../../shared/schedule/wait-until";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";

const DAY = 86_400_000;

/** @throws FieldError FIELD_INVALID */
export function readUntil(within: unknown, now: number, zone: string): number {
  const read = readWaitUntil(within, now, zone);
  if (!read.ok) {
    const value = quoteValue(within);
    const days = WAIT_RANGE.most / DAY;
    throw new FieldError("FIELD_INVALID", "within", say(`waits.within.${read.fault}`, { value, days }));
  }
  return read.until;
}
