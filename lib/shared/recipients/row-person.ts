/** Who a row is for: its place in its list, from 1, or null where it came alone, and the name that it has. */
export interface RowPerson {
  readonly row: number | null;
  readonly name: string;
}

/** As the store has it beside the number. */
export const writePerson = ({ row, name }: RowPerson): string => `${row ?? ""} ${name}`;

/** @param text of `writePerson` */
export function readPerson(text: string): RowPerson {
  const end = text.indexOf(" ");
  return { row: end === 0 ? null : Number(text.slice(0, end)), name: text.slice(end + 1) };
}
