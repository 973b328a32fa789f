import type { FieldSpec } from "./field-spec";
import { RCS_LIMITS, RCS_WORDS } from "./rcs-limits";

/** The kinds of RCS messages a node can be set to, the initial one first. */
export const RCS_KINDS = ["text", "file", "audio", "location", "card", "carousel", "raw"] as const;
export type RcsKind = (typeof RCS_KINDS)[number];

/** How a node set to `location` takes the position, the initial way first. */
export const POSITION_FORMS = ["coordinates", "text"] as const;

/**
 * Where the picture of a card is: above its text, or on one side. Each stands for an orientation and an alignment
 * that go together.
 */
export const CARD_LAYOUTS = ["VERTICAL", "LEFT", "RIGHT"] as const;

/** Paths in the message. */
export const CARD = "richcardMessage.message.generalPurposeCard";
export const CARD_CONTENT = `${CARD}.content` as const;
export const CARD_MEDIA = `${CARD_CONTENT}.media` as const;
export const CAROUSEL = "richcardMessage.message.generalPurposeCardCarousel";
export const CHIPS = "suggestedChipList.suggestions";

const BLANK = { source: "blank", value: "" } as const;
const PAYLOAD = { source: "msg", value: "payload" } as const;
const CHOICE_SOURCES = ["choice", "msg", "flow", "global", "jsonata", "env"] as const;
const COMPOSED = RCS_KINDS.filter((kind) => kind !== "raw");

type More = Partial<Omit<FieldSpec, "name" | "field" | "kinds" | "kind">>;

type Path<Parent extends string, Field extends string> = Parent extends "" ? Field : `${Parent}.${Field}`;

/** Makes fields of some kinds of messages. `field` is the path of the value in the message, below `parent`. */
const of =
  <const Parent extends string>(kinds: readonly RcsKind[], parent: Parent) =>
  <const Name extends string, const Field extends string>(
    name: Name,
    field: Field,
    kind: FieldSpec["kind"],
    more: More = {},
  ): FieldSpec & { readonly name: Name; readonly field: Path<Parent, Field> } => ({
    name,
    field: (parent === "" ? field : `${parent}.${field}`) as Path<Parent, Field>,
    kinds,
    kind,
    required: false,
    initial: BLANK,
    ...more,
  });

const text = of(["text"], "");
const file = of(["file"], "fileMessage");
const audio = of(["audio"], "audioMessage");
const location = of(["location"], "geolocationPushMessage");
const place = of(["location"], "");
const layout = of(["card"], CARD);
const content = of(["card"], CARD_CONTENT);
const media = of(["card"], CARD_MEDIA);
const carousel = of(["carousel"], CAROUSEL);
const composed = of(COMPOSED, "");

/** Every field of an RCS message that a form can show; what it can't, a raw payload holds. */
export const RCS_FIELDS = [
  { name: "recipients", kind: "recipients", required: true, initial: { source: "msg", value: "to" } },
  text("textMessage", "textMessage", "text", { lines: true, required: true, initial: PAYLOAD }),

  file("fileUrl", "fileUrl", "text", { required: true, initial: PAYLOAD }),
  file("fileName", "fileName", "text"),
  file("fileMIMEType", "fileMIMEType", "text"),
  file("fileSize", "fileSize", "integer"),
  file("fileThumbnailUrl", "thumbnailUrl", "text"),
  file("fileThumbnailName", "thumbnailFileName", "text"),
  file("fileThumbnailMIMEType", "thumbnailMIMEType", "text"),
  file("fileThumbnailSize", "thumbnailFileSize", "integer"),

  audio("audioUrl", "fileUrl", "text", { required: true, initial: PAYLOAD }),
  audio("audioName", "fileName", "text"),
  audio("audioMIMEType", "fileMIMEType", "text"),
  audio("audioSize", "fileSize", "integer"),
  audio("playingLength", "playingLength", "integer"),

  // Latitude and longitude become `pos`, or that is given as it is.
  place("latitude", "latitude", "number", {
    when: { positionAs: "coordinates" },
    required: true,
    initial: { source: "msg", value: "payload.latitude" },
  }),
  place("longitude", "longitude", "number", {
    when: { positionAs: "coordinates" },
    required: true,
    initial: { source: "msg", value: "payload.longitude" },
  }),
  location("pos", "pos", "text", { when: { positionAs: "text" }, required: true, initial: PAYLOAD }),
  location("positionLabel", "label", "text"),
  location("radius", "radius", "number"),
  location("timestamp", "timestamp", "text"),
  location("positionExpiry", "expiry", "text"),
  location("timeOffset", "timeOffset", "integer"),

  content("title", "title", "text"),
  content("description", "description", "text", { lines: true, initial: PAYLOAD }),
  layout("cardLayout", "layout", "choice", {
    required: true,
    initial: { source: "choice", value: CARD_LAYOUTS[0] },
    choices: CARD_LAYOUTS,
    sources: CHOICE_SOURCES,
  }),
  media("mediaUrl", "mediaUrl", "text"),
  media("mediaContentType", "mediaContentType", "text", { neededWith: "mediaUrl" }),
  media("mediaFileSize", "mediaFileSize", "integer", { neededWith: "mediaUrl" }),
  media("mediaHeight", "height", "choice", { choices: RCS_WORDS.mediaHeight, neededWith: "mediaUrl" }),
  media("contentDescription", "contentDescription", "text"),
  media("mediaThumbnailUrl", "thumbnailUrl", "text"),
  media("mediaThumbnailContentType", "thumbnailContentType", "text", { neededWith: "mediaThumbnailUrl" }),
  media("mediaThumbnailFileSize", "thumbnailFileSize", "integer", { neededWith: "mediaThumbnailUrl" }),
  content("cardSuggestions", "suggestions", "suggestions", {
    initial: { source: "list", value: "" },
    most: RCS_LIMITS.cardSuggestions,
  }),

  carousel("cards", "content", "json", { required: true, initial: PAYLOAD }),
  carousel("cardWidth", "layout.cardWidth", "choice", {
    required: true,
    initial: { source: "choice", value: "MEDIUM_WIDTH" },
    choices: RCS_WORDS.cardWidth,
    sources: CHOICE_SOURCES,
  }),

  { name: "rcsPayload", kinds: ["raw"], kind: "json", required: true, initial: PAYLOAD },

  composed("suggestions", CHIPS, "suggestions", {
    initial: { source: "list", value: "" },
    most: RCS_LIMITS.chips,
  }),
  composed("trafficType", "trafficType", "choice", { choices: RCS_WORDS.trafficType }),
  composed("expiry", "expiry", "text"),
  { name: "applicationId", kind: "text", required: false, initial: BLANK },
  { name: "clientMessageId", kind: "text", required: false, initial: BLANK },
] as const satisfies readonly FieldSpec[];
