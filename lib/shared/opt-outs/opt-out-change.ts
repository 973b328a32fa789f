/** What somebody wants by a stop word or a start word. Numbers are digits without a plus, as in the list of opt-outs. */
export type OptOutChange =
  | { readonly change: "stop"; readonly scope: "all" | "advertisement"; readonly number: string }
  /** Messages again, of any kind. */
  | { readonly change: "start"; readonly number: string };
