/** Groups entries by key, in their order. */
export function groupBy<Key, Entry>(
  entries: readonly Entry[],
  toKey: (entry: Entry) => Key,
): Map<Key, Entry[]> {
  const groups = new Map<Key, Entry[]>();
  for (const entry of entries) {
    const key = toKey(entry);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(entry);
  }
  return groups;
}
