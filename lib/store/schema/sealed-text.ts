/** How an encrypted text begins. Contents and snapshots that are not encrypted are JSON objects, so none of them begins like this. */
export const SEALED = "sealed:1:";

/** Whether a text of the store is encrypted. */
export const isSealed = (text: string): boolean => text.startsWith(SEALED);

/** SQL: whether the text of a column is encrypted; null for no text. */
export const sealedSql = (column: string): string => `substr(${column}, 1, ${SEALED.length}) = '${SEALED}'`;

/** SQL: what stays of a text when its message is done; nothing of one that is encrypted. @param keep 1 where texts are kept */
export const keptSql = (keep: string, column: string): string =>
  `CASE WHEN ${keep} = 1 AND NOT (${sealedSql(column)}) THEN ${column} END`;
