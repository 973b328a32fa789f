/** Levenshtein distance. */
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

/** Ignores case, blanks and signs that users leave out. */
const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, "");
const lastName = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

/** Characters of a name for each allowed mistake. */
const PER_MISTAKE = 3;

/** Finds a similar path, ignoring `msg.`, case and a few wrong letters. */
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
