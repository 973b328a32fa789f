/** A word of ours, and not a path, an address or a name in another spelling, which stay as they are. */
const OUR_WORD = /^\p{Ll}+(?=[\s,;:.!?]\s|[\s,;]|:(?!\/\/)|$)/u;

/** A reason that stands below an input, with a capital letter. What a person typed, in quotation marks, keeps its case. */
export const asSentence = (reason: string): string =>
  OUR_WORD.test(reason) ? reason.slice(0, 1).toLocaleUpperCase() + reason.slice(1) : reason;
