import {
  buildSuggestion,
  isObject,
  numberOr,
  type Reading,
  type ReadingFault,
  readList,
  readSuggestion,
  type SuggestionDraft,
} from "./suggestion-model";

export const MEDIA_KEYS = [
  "mediaUrl",
  "mediaContentType",
  "mediaFileSize",
  "height",
  "contentDescription",
  "thumbnailUrl",
  "thumbnailContentType",
  "thumbnailFileSize",
] as const;
export type MediaKey = (typeof MEDIA_KEYS)[number];

const SIZES: ReadonlySet<string> = new Set<MediaKey>(["mediaFileSize", "thumbnailFileSize"]);

/** Blank means not set. */
export interface CardDraft {
  title: string;
  description: string;
  media: Record<MediaKey, string>;
  suggestions: SuggestionDraft[];
  /** Unknown keys and unchanged values are written again. */
  readonly original: Readonly<Record<string, unknown>>;
}

const TEXT_KEYS = ["title", "description"] as const;

const blankMedia = (): Record<MediaKey, string> =>
  Object.fromEntries(MEDIA_KEYS.map((key) => [key, ""])) as Record<MediaKey, string>;

export const blankCard = (): CardDraft => ({
  title: "",
  description: "",
  media: blankMedia(),
  suggestions: [],
  original: {},
});

/** Returns null for values without a text form. Sizes are numbers. */
function shown(key: string, value: unknown): string | null {
  if (value === undefined) {
    return "";
  }
  return typeof value === "string" || (SIZES.has(key) && typeof value === "number") ? String(value) : null;
}

const suggestionsIn = ({ suggestions }: CardDraft["original"]): readonly unknown[] =>
  Array.isArray(suggestions) ? suggestions : suggestions === undefined ? [] : [suggestions];

function readCard(original: unknown, n: number): CardDraft | ReadingFault {
  if (!isObject(original)) {
    return { rule: "not-an-object", values: { what: n } };
  }
  const draft: CardDraft = { ...blankCard(), original };
  const media = original.media ?? {};
  if (!isObject(media)) {
    return { rule: "not-an-object", values: { what: `${n}: media` } };
  }
  for (const [target, source, keys] of [
    [draft, original, TEXT_KEYS],
    [draft.media, media, MEDIA_KEYS],
  ] as [Record<string, unknown>, Record<string, unknown>, readonly string[]][]) {
    for (const key of keys) {
      const text = shown(key, source[key]);
      if (text === null) {
        return { rule: "not-a-text", values: { what: `${n}: ${key}` } };
      }
      target[key] = text;
    }
  }
  draft.suggestions = suggestionsIn(original).map(readSuggestion);
  return draft;
}

/** Fails if a value of a card has no text form. */
export function readCards(json: string): Reading<CardDraft> {
  const list = readList(json);
  if (list.items === null) {
    return list;
  }
  const items: CardDraft[] = [];
  for (const [at, original] of list.items.entries()) {
    const card = readCard(original, at + 1);
    if ("rule" in card) {
      return { items: null, fault: card };
    }
    items.push(card);
  }
  return { items, fault: null };
}

/** Sets a key in its place or at the end. A blank text deletes it, an unchanged text does nothing. */
function put(target: Record<string, unknown>, key: string, text: string): void {
  if (text === shown(key, target[key])) {
    return;
  }
  if (text === "") {
    delete target[key];
  } else {
    target[key] = SIZES.has(key) ? numberOr(text) : text;
  }
}

export function buildCard({ original, media, suggestions, ...texts }: CardDraft): Record<string, unknown> {
  const card: Record<string, unknown> = { ...original };
  const picture: Record<string, unknown> = { ...(original.media as object | undefined) };
  for (const key of MEDIA_KEYS) {
    put(picture, key, media[key]);
  }
  if (Object.keys(picture).length > 0) {
    card.media = picture;
  } else if (original.media === undefined || Object.keys(original.media as object).length > 0) {
    delete card.media;
  }
  for (const key of TEXT_KEYS) {
    put(card, key, texts[key]);
  }
  const built = suggestions.map(buildSuggestion);
  if (JSON.stringify(built) !== JSON.stringify(suggestionsIn(original))) {
    card.suggestions = built;
  }
  if (
    Array.isArray(card.suggestions) &&
    card.suggestions.length === 0 &&
    suggestionsIn(original).length > 0
  ) {
    delete card.suggestions;
  }
  return card;
}

export const writeCards = (cards: readonly CardDraft[]): string => JSON.stringify(cards.map(buildCard));
