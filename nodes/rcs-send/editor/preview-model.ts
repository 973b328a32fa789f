import type { FieldSource, ListEntry } from "../../../lib/shared/fields/field-spec";
import { type CardDraft, readCards } from "./card-model";
import { readSuggestions, type SuggestionDraft, type SuggestionKind } from "./suggestion-model";

export interface Held {
  readonly source: FieldSource;
  readonly value: string | readonly ListEntry[];
}

/** A token is a value that is known only at run time. */
export interface Shown {
  readonly text: string;
  readonly token: boolean;
}

export interface PreviewChip {
  readonly kind: SuggestionKind | "token";
  readonly text: Shown;
}

export interface PreviewPicture {
  readonly name: Shown;
  /** Null if it is unknown or not https. */
  readonly url: string | null;
  readonly height: string;
}

export interface PreviewCard {
  readonly picture: PreviewPicture | null;
  readonly title: Shown | null;
  readonly description: Shown | null;
  readonly chips: readonly PreviewChip[];
}

/** Approximation of a message on a phone. */
export interface Preview {
  readonly bubble: { readonly icon: string | null; readonly text: Shown } | null;
  readonly cards: readonly PreviewCard[];
  /** VERTICAL, LEFT or RIGHT. */
  readonly layout: string;
  readonly small: boolean;
  readonly chips: readonly PreviewChip[];
}

const LITERALS: ReadonlySet<FieldSource> = new Set<FieldSource>(["str", "num", "bool", "choice"]);

export const token = (name: string): Shown => ({ text: `⟨${name}⟩`, token: true });
const literal = (text: string): Shown | null => (text === "" ? null : { text, token: false });

const fileName = (url: string): string => {
  const path = url.slice(0, url.search(/[?#]|$/));
  return path.slice(path.lastIndexOf("/") + 1) || url;
};

function picture(url: Shown | null, height: string): PreviewPicture | null {
  if (url === null || url.token) {
    return url && { name: url, url: null, height };
  }
  const loadable = /^https:\/\//i.test(url.text) && URL.canParse(url.text);
  return { name: { text: fileName(url.text), token: false }, url: loadable ? url.text : null, height };
}

const toChip = ({ kind, text, original }: SuggestionDraft): PreviewChip => {
  if (kind !== "other") {
    return { kind, text: literal(text) ?? token("…") };
  }
  const [full] = Object.values((original ?? {}) as Record<string, { displayText?: unknown } | null>);
  const named = full?.displayText;
  return { kind, text: typeof named === "string" ? { text: named, token: false } : token("JSON") };
};

const toCard = ({ title, description, media, suggestions }: CardDraft): PreviewCard => ({
  picture: picture(literal(media.mediaUrl), media.height),
  title: literal(title),
  description: literal(description),
  chips: suggestions.map(toChip),
});

/** @param describe returns the short name of a source, such as `msg.payload` */
export function toPreview(
  kind: string,
  held: (name: string) => Held,
  describe: (source: FieldSource, value: string) => string,
): Preview {
  const show = (name: string): Shown | null => {
    const { source, value } = held(name);
    if (source === "blank" || typeof value !== "string") {
      return null;
    }
    return LITERALS.has(source) ? literal(value) : token(describe(source, value));
  };
  const chips = (name: string): readonly PreviewChip[] => {
    const { source, value } = held(name);
    if (typeof value !== "string") {
      return value.map((entry) => {
        const text =
          entry.source === "str" ? literal(entry.value) : token(describe(entry.source, entry.value));
        return { kind: "reply", text: text ?? token("…") };
      });
    }
    if (source !== "json") {
      return source === "blank" ? [] : [{ kind: "token", text: token(describe(source, value)) }];
    }
    const { items } = readSuggestions(value);
    return items === null ? [{ kind: "token", text: token("JSON") }] : items.map(toChip);
  };
  const cards = (): readonly PreviewCard[] => {
    if (kind === "card") {
      const height = show("mediaHeight");
      return [
        {
          picture: picture(show("mediaUrl"), height === null || height.token ? "" : height.text),
          title: show("title"),
          description: show("description"),
          chips: chips("cardSuggestions"),
        },
      ];
    }
    const { source, value } = held("cards");
    const only = (text: Shown): PreviewCard => ({ picture: null, title: text, description: null, chips: [] });
    if (source !== "json") {
      return [only(token(describe(source, String(value))))];
    }
    return readCards(String(value)).items?.map(toCard) ?? [only(token("JSON"))];
  };
  const bubbleOf = (icon: string | null, ...names: readonly string[]): Preview["bubble"] => {
    const parts = names.map(show).filter((part) => part !== null);
    const text = parts
      .map((part) => (part.token || icon === null ? part.text : fileName(part.text)))
      .join(", ");
    return {
      icon,
      text: { text: text || "…", token: parts.length === 0 || parts.some((part) => part.token) },
    };
  };
  const bubble = (): Preview["bubble"] => {
    switch (kind) {
      case "text":
        return bubbleOf(null, "textMessage");
      case "file":
        return bubbleOf("file-o", show("fileName") === null ? "fileUrl" : "fileName");
      case "audio":
        return bubbleOf("volume-up", show("audioName") === null ? "audioUrl" : "audioName");
      case "location":
        if (show("positionLabel") !== null) {
          return bubbleOf("map-marker", "positionLabel");
        }
        return held("positionAs").value === "text"
          ? bubbleOf("map-marker", "pos")
          : bubbleOf("map-marker", "latitude", "longitude");
      default:
        return null;
    }
  };
  const rich = kind === "card" || kind === "carousel";
  return {
    bubble: bubble(),
    cards: rich ? cards() : [],
    layout: kind === "card" ? (show("cardLayout")?.text ?? "VERTICAL") : "VERTICAL",
    small: kind === "carousel" && show("cardWidth")?.text === "SMALL_WIDTH",
    chips: kind === "raw" ? [] : chips("suggestions"),
  };
}
