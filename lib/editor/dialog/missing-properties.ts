import { checkedOrValue, type Dialog } from "./dialog";

/**
 * Fills the inputs of properties that a node lacks, such as one that was saved before they existed. When the dialog is saved, the node
 * goes on without those that nobody has changed.
 * @param initial values by property; undefined for one whose input is left as it is
 * @param isUnused whether the node goes on without one that it lacks, where another rule holds
 * @returns the properties that the node lacks
 */
export function fillMissing<Name extends string>(
  { node, input, beforeSave }: Dialog,
  initial: Readonly<Record<Name, unknown>>,
  isUnused = (name: Name): boolean => String(checkedOrValue(input(name))) === String(initial[name]),
): readonly Name[] {
  const missing = (Object.keys(initial) as Name[]).filter((name) => node[name] === undefined);
  for (const name of missing) {
    fill(input(name), initial[name]);
  }
  beforeSave(() => {
    for (const name of missing.filter(isUnused)) {
      // The editor saves every input that it finds.
      input(name).removeAttr("id");
    }
  });
  return missing;
}

/** Fills the inputs of settings that flows written by hand may leave out. The dialog saves them. */
export function fillLeftOut({ node, input }: Dialog, initial: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(initial)) {
    if (node[name] === undefined) {
      fill(input(name), value);
    }
  }
}

function fill(input: JQuery, value: unknown): void {
  if (typeof value === "boolean") {
    input.prop("checked", value);
  } else if (value !== undefined) {
    input.val(String(value));
  }
}
