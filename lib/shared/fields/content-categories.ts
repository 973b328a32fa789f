export const CONTENT_CATEGORIES = ["informational", "advertisement"] as const;

export type ReadCategories =
  | { readonly ok: true; readonly categories: ReadonlySet<string> }
  | { readonly ok: false; readonly value: string };

export function readCategories(list: string): ReadCategories {
  const typed = list.split(/[\s,;]+/).filter((category) => category !== "");
  const unknown = typed.find((category) => !CONTENT_CATEGORIES.some((each) => each === category));
  return unknown === undefined ? { ok: true, categories: new Set(typed) } : { ok: false, value: unknown };
}
