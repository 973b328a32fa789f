/** Numbers are digits without plus. */
export type OptOutChange =
  | { readonly change: "stop"; readonly scope: "all" | "advertisement"; readonly number: string }
  | { readonly change: "start"; readonly number: string };
