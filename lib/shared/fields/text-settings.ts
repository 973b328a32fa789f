/** Settings of a send node for personal texts, with the values of a new one. */
export const TEXT_DEFAULTS = {
  /** What `{{…}}` in a typed text means: `fill` for a value of the message, or `literal` for the braces themselves. */
  braces: "fill",
  /** Name of the property of a row that holds the number; blank: the only one with a usual name. */
  rowNumber: "",
  /** Name of the property of a row that holds the name of the person, or several with commas; blank: those with usual names. */
  rowName: "",
} as const;
