import { countCharacters } from "../../../lib/shared/characters";
import { INSTANT_EXAMPLE, isInstant } from "../../../lib/shared/instant";
import { INTERNATIONAL_DIGITS } from "../../../lib/shared/recipients/phone-number";
import { RCS_LIMITS } from "../../../lib/shared/fields/rcs-limits";
import type { CardDraft, MediaKey } from "./card-model";
import { SUGGESTION_KINDS, type SuggestionDraft } from "./suggestion-model";

/** `field` is blank for an error of the whole. */
export interface Fault {
  readonly field: string;
  readonly rule:
    | "required"
    | "too-long"
    | "too-many"
    | "url"
    | "not-whole"
    | "not-an-instant"
    | "out-of-range"
    | `composer-${"link" | "phone" | "picture" | "preview" | "no-picture" | "empty" | "few-cards" | "many-cards" | "tall"}`;
  readonly values?: Readonly<Record<string, string | number>>;
}

const tooLong = (field: string, text: string, max: number): readonly Fault[] => {
  const count = countCharacters(text);
  return count > max ? [{ field, rule: "too-long", values: { max, count } }] : [];
};

const degrees =
  (max: number) =>
  (field: string, text: string): readonly Fault[] => {
    const fits = /^-?\d+(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= max;
    return fits ? [] : [{ field, rule: "out-of-range", values: { min: -max, max } }];
  };

const instant = (field: string, text: string): readonly Fault[] =>
  isInstant(text) ? [] : [{ field, rule: "not-an-instant", values: { example: INSTANT_EXAMPLE } }];

const isPhone = (text: string): boolean => {
  const bare = text.replace(/[\s()./-]/g, "");
  return bare.startsWith("+") && INTERNATIONAL_DIGITS.test(bare.slice(1));
};

const FIELD_CHECKS: Readonly<Record<string, (field: string, text: string) => readonly Fault[]>> = {
  url: (field, text) => (URL.canParse(text) ? [] : [{ field, rule: "composer-link" }]),
  phone: (field, text) => (isPhone(text) ? [] : [{ field, rule: "composer-phone" }]),
  latitude: degrees(90),
  longitude: degrees(180),
  startTime: instant,
  endTime: instant,
};

/** A suggestion written as JSON is not checked. */
export function checkSuggestion({ kind, text, data, fields }: SuggestionDraft): readonly Fault[] {
  if (kind === "other") {
    return [];
  }
  const { fields: names, needed } = SUGGESTION_KINDS[kind];
  const faults: Fault[] = [
    ...(text === "" ? [{ field: "text", rule: "required" } as const] : []),
    ...tooLong("text", text, RCS_LIMITS.displayText),
    ...tooLong("data", data, RCS_LIMITS.postbackData),
  ];
  for (const [at, field] of names.entries()) {
    const value = fields[field] ?? "";
    if (value === "") {
      faults.push(...(at < needed ? [{ field, rule: "required" } as const] : []));
    } else {
      faults.push(...(FIELD_CHECKS[field]?.(field, value) ?? []));
    }
  }
  return faults;
}

export function checkSuggestionCount(count: number, max: number): Fault | null {
  return count > max ? { field: "", rule: "too-many", values: { max, count } } : null;
}

const httpUrl = (field: MediaKey, text: string): readonly Fault[] =>
  text === "" || (/^https?:\/\//i.test(text) && URL.canParse(text)) ? [] : [{ field, rule: "url" }];

const bytes = (field: MediaKey, text: string): readonly Fault[] =>
  text === "" || /^\d+$/.test(text) ? [] : [{ field, rule: "not-whole" }];

function checkMedia(media: CardDraft["media"], small: boolean): readonly Fault[] {
  const missing = (rule: Fault["rule"], ...fields: MediaKey[]): Fault[] =>
    fields.filter((field) => media[field] === "").map((field) => ({ field, rule }));
  if (Object.values(media).every((value) => value === "")) {
    return [];
  }
  return [
    ...missing("composer-no-picture", "mediaUrl"),
    ...missing("composer-picture", "mediaContentType", "mediaFileSize", "height"),
    ...(media.thumbnailUrl === ""
      ? []
      : missing("composer-preview", "thumbnailContentType", "thumbnailFileSize")),
    ...httpUrl("mediaUrl", media.mediaUrl),
    ...httpUrl("thumbnailUrl", media.thumbnailUrl),
    ...bytes("mediaFileSize", media.mediaFileSize),
    ...bytes("thumbnailFileSize", media.thumbnailFileSize),
    ...tooLong("contentDescription", media.contentDescription, RCS_LIMITS.contentDescription),
    ...(small && media.height === "TALL_HEIGHT" ? [{ field: "height", rule: "composer-tall" } as const] : []),
  ];
}

/** Excludes the card's suggestions. @param small true for cards of the small width */
export function checkCard(
  { title, description, media, suggestions }: CardDraft,
  small: boolean,
): readonly Fault[] {
  const empty = title === "" && description === "" && Object.values(media).every((value) => value === "");
  const excess = checkSuggestionCount(suggestions.length, RCS_LIMITS.cardSuggestions);
  return [
    ...(empty ? [{ field: "", rule: "composer-empty" } as const] : []),
    ...tooLong("title", title, RCS_LIMITS.title),
    ...tooLong("description", description, RCS_LIMITS.description),
    ...checkMedia(media, small),
    ...(excess === null ? [] : [{ ...excess, field: "suggestions" }]),
  ];
}

export function checkCardCount(count: number): Fault | null {
  const { cardsMin: min, cardsMax: max } = RCS_LIMITS;
  if (count < min) {
    return { field: "", rule: "composer-few-cards", values: { min, count } };
  }
  return count > max ? { field: "", rule: "composer-many-cards", values: { max, count } } : null;
}
