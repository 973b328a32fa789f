/** English words that are no German ones, nor names of fields or settings. */
const ENGLISH =
  /(?<![\w'"$./-])(?:the|is|are|has|have|holds?|must|not|and|of|for|with|without|this|that|these|from|cannot|could|which|been|only|its?|be|but|or|to|by)(?![\w'"./-])/i;

/** The first English word of a text that should be German; null where there is none. Values in quotes do not count. */
export function findEnglish(text: string): string | null {
  const own = text.replace(/'[^']*'|„[^“]*“|<[^>]*>|https?:\S+/g, " ");
  return ENGLISH.exec(own)?.[0] ?? null;
}
