/** Marks stored recipients without a readable number, which is otherwise only digits. */
const PREFIX = "?";
const PREFIX_CODE = PREFIX.charCodeAt(0);
const PARTS = /^\?(\d*) (.*)$/s;

export interface UnreadableNumber {
  readonly text: string;
  /** Index in the list from 1. */
  readonly row: number | null;
}

export const writeUnreadable = ({ text, row }: UnreadableNumber): string => `${PREFIX}${row ?? ""} ${text}`;

export function readUnreadable(number: string): UnreadableNumber | null {
  const parts = number.charCodeAt(0) === PREFIX_CODE ? PARTS.exec(number) : null;
  if (parts === null) {
    return null;
  }
  const [, row = "", text = ""] = parts;
  return { text, row: row === "" ? null : Number(row) };
}

/** A stored request has only readable recipients, or none. */
export const recipientsAsGiven = (numbers: readonly string[]): readonly string[] =>
  numbers[0]?.charCodeAt(0) === PREFIX_CODE
    ? numbers.map((number) => readUnreadable(number)?.text ?? number).filter((text) => text !== "")
    : numbers;
