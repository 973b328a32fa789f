import type { SimulatedMessage } from "./records";

export interface TappableSuggestion {
  readonly kind: "reply" | "action";
  readonly displayText: string;
  /** Postback data; null for an action without them, of which no event comes. */
  readonly data: string | null;
  /** What an action does, as in the payload, for example `openUrl`; null for a reply. */
  readonly action: string | null;
  readonly target: string | null;
  /** Card with the button, from 0; null for a suggestion below the message. */
  readonly card: number | null;
}

export interface Tap {
  readonly transferId: string;
  readonly suggestedResponse: object;
}

type Json = Readonly<Record<string, unknown>>;

const objectIn = (value: unknown, name: string): Json => Object(Object(value)[name]) as Json;
const listIn = (value: unknown, name: string): readonly unknown[] => {
  const list: unknown = Object(value)[name];
  return Array.isArray(list) ? list : [];
};
const textIn = (value: unknown, name: string): string | null => {
  const text: unknown = Object(value)[name];
  return typeof text === "string" ? text : null;
};

/** Suggestions of a checked RCS message: those on its cards in their order, then those below it. Empty for other messages. */
export function suggestionsOf({ channel, fields }: SimulatedMessage): readonly TappableSuggestion[] {
  if (channel !== "rcs") return [];
  const message = objectIn(fields.rcsPayload, "RCSMessage");
  const { generalPurposeCard: single, generalPurposeCardCarousel: carousel } = objectIn(
    message.richcardMessage,
    "message",
  );
  const cards = single === undefined ? listIn(carousel, "content") : [objectIn(single, "content")];
  return [
    ...cards.flatMap((card, at) => listIn(card, "suggestions").map((each) => read(each, at))),
    ...listIn(message.suggestedChipList, "suggestions").map((each) => read(each, null)),
  ];
}

function read(suggestion: unknown, card: number | null): TappableSuggestion {
  const { reply } = Object(suggestion) as { reply?: unknown };
  const kind = reply === undefined ? "action" : "reply";
  const inner = objectIn(suggestion, kind);
  const { displayText, postback, ...rest } = inner;
  const [does] = Object.values(rest);
  const [named] = kind === "action" ? Object.entries(Object(does) as Json) : [];
  return {
    kind,
    displayText: String(displayText),
    data: textIn(postback, "data"),
    action: named?.[0] ?? null,
    target: textIn(named?.[1], "url") ?? textIn(named?.[1], "phoneNumber"),
    card,
  };
}

export function suggestedResponse({ kind, displayText, data }: TappableSuggestion): object {
  return { response: { [kind]: { displayText, postback: { data } } } };
}
