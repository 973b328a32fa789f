/** How many characters have to be added, removed or replaced to make one text of another. */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const line = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      line.push(Math.min(replaced, (above[j] as number) + 1, (line[j - 1] as number) + 1));
    }
    above = line;
  }
  return above[b.length] as number;
}

/** A name as it is compared: without case, blanks and signs that people leave out. */
const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, "");
const lastName = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

/** Characters of a name of which one may be wrong. */
const PER_MISTAKE = 3;

/** The path that was probably meant by one that has no value, or null. `msg.` in front, another case or a few wrong letters do not matter. */
export function closestPath(written: string, paths: readonly string[]): string | null {
  const wanted = plain(written.replace(/^msg\./, ""));
  const inside = paths.find((path) => plain(path).startsWith(`${wanted}.`));
  const { length } = lastName(wanted);
  const limit = Math.min(length, Math.ceil(length / PER_MISTAKE) + 1);
  let best: { readonly path: string; readonly mistakes: number } | null = null;
  for (const path of paths) {
    const whole = distance(wanted, plain(path));
    const last = distance(lastName(wanted), plain(lastName(path)));
    const mistakes = Math.min(whole, last + 0.5);
    if (mistakes < limit && mistakes < (best?.mistakes ?? Number.POSITIVE_INFINITY)) {
      best = { path, mistakes };
    }
  }
  return best?.mistakes === 0 ? best.path : (inside ?? best?.path ?? null);
}
