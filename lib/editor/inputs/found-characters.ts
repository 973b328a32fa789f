import { formatCodePoint } from "../../shared/latin1";

export interface FoundCharacter {
  /** One character; half of a surrogate pair counts as one if the other half is missing. */
  readonly character: string;
  /** Index in UTF-16 units, as selections in an input count. */
  readonly index: number;
}

/** Returns distinct characters in order of appearance. */
export function findCharacters(
  text: string,
  fits: (character: string) => boolean,
  most = Number.POSITIVE_INFINITY,
): readonly FoundCharacter[] {
  const found = new Map<string, FoundCharacter>();
  let index = 0;
  for (const character of text) {
    if (found.size >= most) {
      break;
    }
    if (!found.has(character) && fits(character)) {
      found.set(character, { character, index });
    }
    index += character.length;
  }
  return [...found.values()];
}

/** `€ U+20AC`; only the code point for an invisible character. */
export function nameCharacter(character: string): string {
  const number = `U+${formatCodePoint(character.codePointAt(0) ?? 0)}`;
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) ? `${character} ${number}` : number;
}
