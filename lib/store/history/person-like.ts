/** Capital letters that not every database makes small ones of. */
const CAPITALS = [..."ÄÖÜÀÁÂÃÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕØÙÚÛÝŠŽĆČĐŁŚŻ"];

const smallLetters = (column: string): string =>
  CAPITALS.reduce(
    (sql, letter) => `replace(${sql}, '${letter}', '${letter.toLowerCase()}')`,
    `lower(${column})`,
  );

/** What names with a part are like, in small letters and as it was typed. */
export interface PersonPatterns {
  readonly person: string;
  readonly typed: string;
}

/** SQL: whether a column of `writePerson` has a name like `PersonPatterns`. Letters of other alphabets may have to be typed as they are. */
export const isPersonLike = (column: string): string =>
  `(${smallLetters(column)} LIKE CAST($person AS text) ESCAPE '!' OR ${column} LIKE CAST($typed AS text) ESCAPE '!')`;

/** The row before a name ends with a blank, so that nothing is found by its digits. */
const patternOf = (part: string): string => `% %${part.replace(/[!%_]/g, "!$&")}%`;

/** @param part of a name */
export const personPatterns = (part: string): PersonPatterns => ({
  person: patternOf(part.toLowerCase()),
  typed: patternOf(part),
});
