import { array, type ZodType } from "zod";
import { RCS_LIMITS, RCS_WORDS } from "../../shared/fields/rcs-limits";
import { isMediaType } from "../../shared/media-types";
import { say } from "../../texts/say";
import { decimal, e164, fault, httpUrl, integer, oneOf, text } from "./field-rules";
import {
  exactlyOne,
  excludes,
  instant,
  list,
  needs,
  object,
  type ObjectRule,
  oneField,
  report,
  someOf,
} from "./object-rules";
import { suggestion } from "./rcs-suggestion-schema";
import { fieldError } from "./schema-fault";
import { requireWellFormed } from "./well-formed";

/** Checks messages that a dialog composes, but not payloads from a flow. */

const url = httpUrl();
const bytes = integer(0, undefined, "bytes");
const mediaType = text(1).refine(isMediaType, { error: fault("fields.rule.media-type") });

const media = object(
  {
    mediaUrl: url,
    mediaContentType: mediaType,
    mediaFileSize: bytes,
    height: oneOf(...RCS_WORDS.mediaHeight),
    thumbnailUrl: url.optional(),
    thumbnailContentType: mediaType.optional(),
    thumbnailFileSize: bytes.optional(),
    contentDescription: text(1, RCS_LIMITS.contentDescription).optional(),
  },
  needs("thumbnailUrl", "thumbnailContentType", "thumbnailFileSize"),
);

const content = object(
  {
    media: media.optional(),
    title: text(1, RCS_LIMITS.title).optional(),
    description: text(1, RCS_LIMITS.description).optional(),
    suggestions: list(1, RCS_LIMITS.cardSuggestions, suggestion).optional(),
  },
  someOf("media", "title", "description"),
);

const alignmentGoesWithOrientation: ObjectRule = ({ cardOrientation, imageAlignment }, context) => {
  const wanted = cardOrientation === "HORIZONTAL";
  if (wanted !== (imageAlignment !== undefined)) {
    const rule = wanted
      ? say("fields.needed-with", { name: "HORIZONTAL" })
      : say("fields.not-with", { name: "VERTICAL" });
    report(context, ["imageAlignment"], rule);
  }
};

const fontStyles = array(text(1)).optional();

const card = object({
  layout: object(
    {
      cardOrientation: oneOf(...RCS_WORDS.cardOrientation),
      imageAlignment: oneOf(...RCS_WORDS.imageAlignment).optional(),
      titleFontStyle: fontStyles,
      descriptionFontStyle: fontStyles,
      style: url.optional(),
    },
    alignmentGoesWithOrientation,
  ),
  content,
});

const noTallMediaInSmallCards: ObjectRule = (carousel, context) => {
  const { layout, content: cards } = carousel as {
    layout: { cardWidth: string };
    content: { media?: { height: string } }[];
  };
  if (layout.cardWidth !== "SMALL_WIDTH") {
    return;
  }
  for (const [at, { media: picture }] of cards.entries()) {
    if (picture?.height === "TALL_HEIGHT") {
      report(context, ["content", at, "media", "height"], say("fields.tall-in-small"));
    }
  }
};

const carousel = object(
  {
    layout: object({ cardWidth: oneOf(...RCS_WORDS.cardWidth) }),
    content: list(RCS_LIMITS.cardsMin, RCS_LIMITS.cardsMax, content),
  },
  noTallMediaInSmallCards,
);

const file = {
  fileUrl: url,
  fileName: text(1).optional(),
  fileMIMEType: mediaType.optional(),
  fileSize: bytes.optional(),
};

const CONTENTS = {
  textMessage: text(1, RCS_LIMITS.text).optional(),
  fileMessage: object({
    ...file,
    thumbnailUrl: url.optional(),
    thumbnailFileName: text(1).optional(),
    thumbnailMIMEType: mediaType.optional(),
    thumbnailFileSize: bytes.optional(),
  }).optional(),
  audioMessage: object({ ...file, playingLength: integer(0).optional() }).optional(),
  geolocationPushMessage: object({
    pos: text(1),
    label: text(0, RCS_LIMITS.label).optional(),
    timestamp: instant().optional(),
    expiry: instant().optional(),
    timeOffset: integer(Number.MIN_SAFE_INTEGER).optional(),
    radius: decimal(0).optional(),
  }).optional(),
  richcardMessage: object({
    message: oneField({
      generalPurposeCard: card.optional(),
      generalPurposeCardCarousel: carousel.optional(),
    }),
  }).optional(),
  isTyping: oneOf(...RCS_WORDS.isTyping).optional(),
};

const rcsMessage = object(
  {
    ...CONTENTS,
    suggestedChipList: object({ suggestions: list(1, RCS_LIMITS.chips, suggestion) }).optional(),
    trafficType: oneOf(...RCS_WORDS.trafficType).optional(),
    expiry: instant().optional(),
  },
  exactlyOne(...Object.keys(CONTENTS)),
  excludes("isTyping", "suggestedChipList"),
);

const messageContact = oneField({ userContact: e164().optional(), chatId: text(1).optional() });

export const coordinates = object({ latitude: decimal(-90, 90), longitude: decimal(-180, 180) });

function check(schema: ZodType, value: unknown, name: string): void {
  const checked = schema.safeParse(value);
  if (!checked.success) {
    throw fieldError(checked.error.issues, name);
  }
}

/** @throws FieldError with the path of the field */
export const checkRcsMessage = (message: unknown): void => {
  check(rcsMessage, message, "RCSMessage");
  requireWellFormed(message);
};

/** @throws FieldError with the path of the field */
export const checkMessageContact = (contact: unknown): void =>
  check(messageContact, contact, "messageContact");
