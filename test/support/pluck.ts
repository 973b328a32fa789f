/** The value of one field of each row, or a list of values where several fields are named. */
export function pluck<Row, Name extends keyof Row>(rows: readonly Row[], name: Name): Row[Name][];
export function pluck<Row>(rows: readonly Row[], ...names: (keyof Row)[]): unknown[][];
export function pluck<Row>(rows: readonly Row[], ...names: (keyof Row)[]): unknown[] {
  const [only] = names;
  return rows.map((row) => (names.length === 1 ? row[only as keyof Row] : names.map((name) => row[name])));
}
