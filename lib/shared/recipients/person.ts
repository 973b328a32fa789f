/** A numbering plan in which one person has two spellings. The older one gets `cut` digits replaced by `put` behind `at` digits. */
interface TwoSpellings {
  readonly start: string;
  readonly length: number;
  /** First digits of the subscriber that have two spellings; absent for any. */
  readonly next?: string;
  readonly at: number;
  readonly cut: number;
  readonly put: string;
}

export const TWO_SPELLINGS: readonly TwoSpellings[] = [
  // Mexico: 1 for mobile phones, until 2019.
  { start: "521", length: 13, at: 2, cut: 1, put: "" },
  // Argentina: 9 for mobile phones, which calls and many SMS routes leave out.
  { start: "549", length: 13, at: 2, cut: 1, put: "" },
  // Brazil: mobile numbers have begun with 9 since 2016. Fixed lines begin with 2 to 5, a former radio network with 7.
  { start: "55", length: 12, next: "689", at: 4, cut: 0, put: "9" },
  // Benin: all numbers have begun with 01 since 2024.
  { start: "229", length: 11, at: 3, cut: 0, put: "01" },
];

const applies = (digits: string, { start, length, next, at }: TwoSpellings): boolean =>
  digits.length === length && digits.startsWith(start) && (next?.includes(digits.charAt(at)) ?? true);

/** The digits by which a person is recognised, however the number is spelled. Never sent to. @param digits of an international number */
export function toPerson(digits: string): string {
  const rule = TWO_SPELLINGS.find((each) => applies(digits, each));
  return rule === undefined ? digits : digits.slice(0, rule.at) + rule.put + digits.slice(rule.at + rule.cut);
}

/** All spellings of a number, that of `toPerson` first. */
export function spellingsOf(digits: string): readonly string[] {
  const person = toPerson(digits);
  const older = TWO_SPELLINGS.flatMap((rule) => {
    const { start, at, cut, put } = rule;
    const digits = person.slice(0, at) + start.slice(at, at + cut) + person.slice(at + put.length);
    return person.startsWith(put, at) && applies(digits, rule) ? [digits] : [];
  });
  return [person, ...older];
}

/** Gives what was found of people the numbers that were asked for. @param found with numbers by `toPerson` */
export function withNumbers<Found extends { readonly number: string }>(
  found: readonly Found[],
  numbers: readonly string[],
): readonly Found[] {
  if (found.length === 0) {
    return found;
  }
  const byPerson = new Map(found.map((each) => [each.number, each]));
  return [...new Set(numbers)].flatMap((number) => {
    const each = byPerson.get(toPerson(number));
    return each === undefined ? [] : [{ ...each, number }];
  });
}
