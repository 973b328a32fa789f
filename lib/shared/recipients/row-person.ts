/** Who a row of a list is for: the place of the row, from 1, and the name that the row has. */
export interface RowPerson {
  readonly row: number;
  readonly name: string;
}

/** As the store has it beside the number. */
export const writePerson = ({ row, name }: RowPerson): string => `${row} ${name}`;

/** @param text of `writePerson` */
export function readPerson(text: string): RowPerson {
  const end = text.indexOf(" ");
  return { row: Number(text.slice(0, end)), name: text.slice(end + 1) };
}
