import { say } from "../../texts/say";

const NAMED = 5;

/**
 * Names the first entries of a list and counts the others.
 * @param describe text of an entry, with its number masked
 */
export function nameNumbers<Entry>(entries: readonly Entry[], describe: (entry: Entry) => string): string {
  const named = entries.slice(0, NAMED).map(describe);
  const more = entries.length - named.length;
  const list = named.join("; ");
  return more === 0 ? list : say(`recipients.more.${more === 1 ? "one" : "many"}`, { list, count: more });
}
