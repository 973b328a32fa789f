import { sharedTexts } from "../dialog/texts";

/**
 * Fills a select with the context stores of this Node-RED. A chosen store that no longer exists stays in the list,
 * marked as such.
 */
export function prepareStoreSelect(select: JQuery, chosen: string): void {
  const { context } = RED.settings as unknown as { context?: { default?: string; stores?: string[] } };
  const stores = context?.stores ?? [];
  const option = (value: string, label: string): JQuery => $("<option>", { value }).text(label);
  select.empty().append(option("", sharedTexts("store.default", { name: context?.default ?? "memory" })));
  for (const store of stores) {
    select.append(option(store, store));
  }
  if (chosen !== "" && !stores.includes(chosen)) {
    select.append(option(chosen, sharedTexts("store.gone", { name: chosen })));
  }
  select.val(chosen);
}
