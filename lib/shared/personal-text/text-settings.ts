/** What `{{…}}` in a typed text of a send node means: a value of the message, or the braces themselves. */
export const BRACES = ["fill", "literal"] as const;
export type Braces = (typeof BRACES)[number];

/** Settings of a send node for personal texts, with the values of a new one. */
export const TEXT_DEFAULTS = {
  braces: "fill",
  /** Name of the property of a row that holds the number; blank: the only one with a usual name. */
  rowNumber: "",
} as const satisfies { readonly braces: Braces; readonly rowNumber: string };
