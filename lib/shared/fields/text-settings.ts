export const TEXT_DEFAULTS = {
  /** `fill` a value into `{{…}}`, or keep the braces as `literal` text. */
  braces: "fill",
  /** Blank: the only property with a usual name. */
  rowNumber: "",
  /** Several with commas. Blank: usual names. */
  rowName: "",
} as const;
