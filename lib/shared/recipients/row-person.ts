/** `row` is the index in the list from 1. */
export interface RowPerson {
  readonly row: number | null;
  readonly name: string;
}

/** The format of the store. */
export const writePerson = ({ row, name }: RowPerson): string => `${row ?? ""} ${name}`;

export function readPerson(text: string): RowPerson {
  const end = text.indexOf(" ");
  return { row: end === 0 ? null : Number(text.slice(0, end)), name: text.slice(end + 1) };
}
