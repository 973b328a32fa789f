const PLACE = /(<!-- table: (\S+) -->\n)[\s\S]*?(<!-- end of table -->)/g;

/**
 * Fills each place `<!-- table: name -->` … `<!-- end of table -->` of a page.
 * @throws Error for a name that stands for no table, and for a table that has no place
 */
export function fillPlaces(page: string, tables: Readonly<Record<string, () => string>>): string {
  const left = new Set(Object.keys(tables));
  const filled = page.replace(PLACE, (_whole, start: string, name: string, end: string) => {
    const make = tables[name];
    if (make === undefined) {
      throw new Error(`there is no table ${name}`);
    }
    left.delete(name);
    return `${start}\n${make()}\n\n${end}`;
  });
  if (left.size > 0) {
    throw new Error(`the page has no place for ${[...left].join(", ")}`);
  }
  return filled;
}
