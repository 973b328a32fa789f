import { TWO_SPELLINGS } from "../../shared/recipients/person";

/** `toPerson` in SQL. Indexes have this expression: a change of it needs a migration. */
export function personOf(number: string): string {
  const cases = TWO_SPELLINGS.map(({ start, length, next = "", at, cut, put }) => {
    const digits = next === "" ? "" : ` AND substr(${number}, ${at + 1}, 1) IN ('${[...next].join("', '")}')`;
    return `WHEN length(${number}) = ${length} AND substr(${number}, 1, ${start.length}) = '${start}'${digits}
      THEN substr(${number}, 1, ${at}) || '${put}' || substr(${number}, ${at + cut + 1})`;
  });
  return `(CASE ${cases.join(" ")} ELSE ${number} END)`;
}

/** Whether a column has a number of a person. @param value a parameter or another column */
export const isPerson = (column: string, value: string): string =>
  `${personOf(column)} = ${personOf(`CAST(${value} AS text)`)}`;
