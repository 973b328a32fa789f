/** A word, not a path, an address or a name, whose spelling must not change. */
const OUR_WORD = /^\p{Ll}+(?=[\s,;:.!?]\s|[\s,;]|:(?!\/\/)|$)/u;

/** Capitalises a reason below an input, unless it begins with the user's text in quotation marks. */
export const asSentence = (reason: string): string =>
  OUR_WORD.test(reason) ? reason.slice(0, 1).toLocaleUpperCase() + reason.slice(1) : reason;
