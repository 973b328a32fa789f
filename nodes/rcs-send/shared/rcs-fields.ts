import { type FieldSpec, type FieldType, fromMessage, OPTIONAL } from "../../../lib/shared/fields/field-spec";
import { RCS_LIMITS, RCS_WORDS } from "../../../lib/shared/fields/rcs-limits";

/** Initial value first. */
export const RCS_KINDS = ["text", "file", "audio", "location", "card", "carousel", "raw"] as const;
export type RcsKind = (typeof RCS_KINDS)[number];

/** Initial value first. */
export const POSITION_FORMS = ["coordinates", "text"] as const;

export const CARD_LAYOUTS = ["VERTICAL", "LEFT", "RIGHT"] as const;

export const CARD = "richcardMessage.message.generalPurposeCard";
export const CARD_CONTENT = `${CARD}.content` as const;
export const CARD_MEDIA = `${CARD_CONTENT}.media` as const;
export const CAROUSEL = "richcardMessage.message.generalPurposeCardCarousel";
export const CHIPS = "suggestedChipList.suggestions";

const PAYLOAD = fromMessage("payload");
const COORDINATE = { place: "content", when: { positionAs: "coordinates" } } as const;
const CHOICE_SOURCES = ["choice", "msg", "flow", "global", "jsonata", "env"] as const;
const COMPOSED = RCS_KINDS.filter((kind) => kind !== "raw");

type More = Partial<Omit<FieldSpec, "name" | "field" | "messageKinds" | "type">> & { readonly icon: string };

type Path<Parent extends string, Field extends string> = Parent extends "" ? Field : `${Parent}.${Field}`;

/** `field` is a path below `parent`. */
const of =
  <const Parent extends string>(messageKinds: readonly RcsKind[], parent: Parent) =>
  <const Name extends string, const Field extends string>(
    name: Name,
    field: Field,
    type: FieldType,
    more: More,
  ): FieldSpec & { readonly name: Name; readonly field: Path<Parent, Field> } => ({
    name,
    field: (parent === "" ? field : `${parent}.${field}`) as Path<Parent, Field>,
    messageKinds,
    type,
    ...OPTIONAL,
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

export const RCS_FIELDS = [
  { name: "recipients", icon: "users", place: "message", type: "recipients", ...fromMessage("to") },
  text("textMessage", "textMessage", "text", {
    icon: "comment-o",
    place: "message",
    lines: true,
    ...PAYLOAD,
  }),

  file("fileUrl", "fileUrl", "text", { icon: "file-o", place: "message", ...PAYLOAD }),
  file("fileName", "fileName", "text", { icon: "tag" }),
  file("fileMIMEType", "fileMIMEType", "text", { icon: "file-code-o" }),
  file("fileSize", "fileSize", "integer", { icon: "database" }),
  file("fileThumbnailUrl", "thumbnailUrl", "text", { icon: "picture-o" }),
  file("fileThumbnailName", "thumbnailFileName", "text", { icon: "tag" }),
  file("fileThumbnailMIMEType", "thumbnailMIMEType", "text", { icon: "file-image-o" }),
  file("fileThumbnailSize", "thumbnailFileSize", "integer", { icon: "database" }),

  audio("audioUrl", "fileUrl", "text", { icon: "volume-up", place: "message", ...PAYLOAD }),
  audio("audioName", "fileName", "text", { icon: "tag" }),
  audio("audioMIMEType", "fileMIMEType", "text", { icon: "file-audio-o" }),
  audio("audioSize", "fileSize", "integer", { icon: "database" }),
  audio("playingLength", "playingLength", "integer", { icon: "clock-o" }),

  // Latitude and longitude become `pos`.
  place("latitude", "latitude", "number", {
    icon: "arrows-v",
    ...COORDINATE,
    ...fromMessage("payload.latitude"),
  }),
  place("longitude", "longitude", "number", {
    icon: "arrows-h",
    ...COORDINATE,
    ...fromMessage("payload.longitude"),
  }),
  location("pos", "pos", "text", {
    icon: "map-marker",
    place: "content",
    when: { positionAs: "text" },
    ...PAYLOAD,
  }),
  location("positionLabel", "label", "text", { icon: "flag-o", place: "content" }),
  location("radius", "radius", "number", { icon: "dot-circle-o" }),
  location("timestamp", "timestamp", "text", { icon: "clock-o" }),
  location("positionExpiry", "expiry", "text", { icon: "hourglass-end" }),
  location("timeOffset", "timeOffset", "integer", { icon: "globe" }),

  content("title", "title", "text", { icon: "header", place: "content" }),
  content("description", "description", "text", {
    icon: "align-left",
    place: "content",
    lines: true,
    initial: PAYLOAD.initial,
  }),
  layout("cardLayout", "layout", "choice", {
    icon: "columns",
    place: "content",
    required: true,
    initial: { source: "choice", value: CARD_LAYOUTS[0] },
    choices: CARD_LAYOUTS,
    sources: CHOICE_SOURCES,
  }),
  media("mediaUrl", "mediaUrl", "text", { icon: "picture-o", place: "content" }),
  media("mediaContentType", "mediaContentType", "text", {
    icon: "file-image-o",
    place: "content",
    neededWith: "mediaUrl",
  }),
  media("mediaFileSize", "mediaFileSize", "integer", {
    icon: "database",
    place: "content",
    neededWith: "mediaUrl",
  }),
  media("mediaHeight", "height", "choice", {
    icon: "arrows-v",
    place: "content",
    choices: RCS_WORDS.mediaHeight,
    neededWith: "mediaUrl",
  }),
  media("contentDescription", "contentDescription", "text", { icon: "low-vision" }),
  media("mediaThumbnailUrl", "thumbnailUrl", "text", { icon: "picture-o" }),
  media("mediaThumbnailContentType", "thumbnailContentType", "text", {
    icon: "file-image-o",
    neededWith: "mediaThumbnailUrl",
  }),
  media("mediaThumbnailFileSize", "thumbnailFileSize", "integer", {
    icon: "database",
    neededWith: "mediaThumbnailUrl",
  }),
  content("cardSuggestions", "suggestions", "suggestions", {
    icon: "hand-pointer-o",
    place: "content",
    initial: { source: "list", value: "" },
    most: RCS_LIMITS.cardSuggestions,
  }),

  carousel("cards", "content", "json", { icon: "clone", place: "content", ...PAYLOAD }),
  carousel("cardWidth", "layout.cardWidth", "choice", {
    icon: "arrows-h",
    place: "content",
    required: true,
    initial: { source: "choice", value: "MEDIUM_WIDTH" },
    choices: RCS_WORDS.cardWidth,
    sources: CHOICE_SOURCES,
  }),

  { name: "rcsPayload", icon: "code", place: "content", messageKinds: ["raw"], type: "json", ...PAYLOAD },

  composed("suggestions", CHIPS, "suggestions", {
    icon: "hand-pointer-o",
    place: "content",
    initial: { source: "list", value: "" },
    most: RCS_LIMITS.chips,
  }),
  composed("trafficType", "trafficType", "choice", { icon: "tag", choices: RCS_WORDS.trafficType }),
  composed("expiry", "expiry", "text", { icon: "hourglass-end" }),
  { name: "applicationId", icon: "id-card-o", type: "text", ...OPTIONAL },
  { name: "clientMessageId", icon: "hashtag", place: "advanced", type: "text", ...OPTIONAL },
] as const satisfies readonly FieldSpec[];
