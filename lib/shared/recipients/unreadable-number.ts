/**
 * How the store has a recipient of which no number could be read: in place of the digits, so that it is kept, found and deleted like any
 * other recipient, and is never the number of somebody. Stored numbers are digits only.
 */
const MARK = "?";
const MARK_CODE = MARK.charCodeAt(0);
const PARTS = /^\?(\d*) (.*)$/s;

export interface UnreadableNumber {
  /** As it was given; blank where there was nothing. */
  readonly text: string;
  /** Its place in the list, from 1; null for a message to nobody else. */
  readonly row: number | null;
}

export const writeUnreadable = ({ text, row }: UnreadableNumber): string => `${MARK}${row ?? ""} ${text}`;

/** @returns null for a number that was read */
export function readUnreadable(number: string): UnreadableNumber | null {
  const parts = number.charCodeAt(0) === MARK_CODE ? PARTS.exec(number) : null;
  if (parts === null) {
    return null;
  }
  const [, row = "", text = ""] = parts;
  return { text, row: row === "" ? null : Number(row) };
}

/** The recipients of a stored request as they were given. All of them could be read, or none. */
export const recipientsAsGiven = (numbers: readonly string[]): readonly string[] =>
  numbers[0]?.charCodeAt(0) === MARK_CODE
    ? numbers.map((number) => readUnreadable(number)?.text ?? number).filter((text) => text !== "")
    : numbers;
