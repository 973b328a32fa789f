/** A column that rows are not found by, also where its table was empty when PostgreSQL made the plan: not all rows of it are read. */
export const checked = (column: string): string => `(${column} || '')`;
