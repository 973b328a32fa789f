const MARKED = /(<!-- table: (\S+) -->\n)[\s\S]*?(<!-- end of table -->)/g;

/**
 * Replaces what stands between each `<!-- table: name -->` and `<!-- end of table -->` of a page by the table of
 * that name.
 * @throws Error for a marker whose table does not exist, and for a table without a marker
 */
export function fillTables(page: string, tables: Readonly<Record<string, () => string>>): string {
  const left = new Set(Object.keys(tables));
  const filled = page.replace(MARKED, (_whole, start: string, name: string, end: string) => {
    const make = tables[name];
    if (make === undefined) {
      throw new Error(`there is no table ${name}`);
    }
    left.delete(name);
    return `${start}\n${make()}\n\n${end}`;
  });
  if (left.size > 0) {
    throw new Error(`the page has no marker for ${[...left].join(", ")}`);
  }
  return filled;
}
