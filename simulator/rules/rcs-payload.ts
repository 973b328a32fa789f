import type { FieldCheck, JsonObject } from "./field-rules";
import {
  at,
  exactlyOne,
  excludes,
  instant,
  integer,
  list,
  needs,
  number,
  object,
  type ObjectRule,
  oneField,
  type Shape,
  someOf,
  text,
  textLike,
  url,
  word,
} from "./json-shape";

// The objects RCSMessage and messageContact of the parameter rcsPayload, as the service checks them.

const phoneNumber = textLike(/^\+[1-9]\d{4,14}$/, "an international number with plus");
const mimeType = textLike(/^[\w.+-]+\/[\w.+-]+$/, "a media type");
const bytes = integer(0);
const nothing = object({});

const displayText = text(1, 25);
const postback = object({ data: text(0, 2048) });

const dial = object({ phoneNumber }, { fallbackUrl: url });
const place = { latitude: number(-90, 90), longitude: number(-180, 180), label: text(0, 200) };
const location = object(
  {},
  { ...place, query: text(1) },
  exactlyOne("latitude", "query"),
  needs("latitude", "longitude"),
  needs("longitude", "latitude"),
  needs("label", "latitude"),
);

const ACTIONS: Readonly<Record<string, Shape>> = {
  urlAction: object({ openUrl: object({ url }, { application: text(1), viewMode: text(1) }) }),
  dialerAction: oneField({ dialPhoneNumber: dial, dialEnrichedCall: dial, dialVideoCall: dial }),
  mapAction: oneField({
    showLocation: object({ location }, { fallbackUrl: url }),
    requestLocationPush: nothing,
  }),
  calendarAction: object({
    createCalendarEvent: object(
      { startTime: instant, endTime: instant, title: text(1) },
      { description: text(), fallbackUrl: url },
    ),
  }),
  composeAction: oneField({
    composeTextMessage: object({ phoneNumber, text: text() }),
    composeRecordingMessage: object({ phoneNumber, type: word("AUDIO", "VIDEO") }),
  }),
  deviceAction: object({ requestDeviceSpecifics: nothing }),
  settingsAction: oneField({ disableAnonymization: nothing, enableDisplayedNotifications: nothing }),
};

const suggestion = oneField({
  reply: object({ displayText, postback }),
  action: object({ displayText }, { postback, ...ACTIONS }, exactlyOne(...Object.keys(ACTIONS))),
});

const media = object(
  {
    mediaUrl: url,
    mediaContentType: mimeType,
    mediaFileSize: bytes,
    height: word("SHORT_HEIGHT", "MEDIUM_HEIGHT", "TALL_HEIGHT"),
  },
  {
    thumbnailUrl: url,
    thumbnailContentType: mimeType,
    thumbnailFileSize: bytes,
    contentDescription: text(1, 200),
  },
  needs("thumbnailUrl", "thumbnailContentType", "thumbnailFileSize"),
);

const content = object(
  {},
  { media, title: text(1, 200), description: text(1, 2000), suggestions: list(1, 4, suggestion) },
  someOf("media", "title", "description"),
);

const imageAlignmentFitsOrientation: ObjectRule = ({ cardOrientation, imageAlignment }, path) => {
  const wanted = cardOrientation === "HORIZONTAL";
  if (wanted === (imageAlignment !== undefined)) return null;
  return at(
    `${path}.imageAlignment`,
    `${wanted ? "is required with" : "not permitted with"} ${String(cardOrientation)}`,
  );
};

const fontStyles = list(0, 10, text(1));

const card = object({
  layout: object(
    { cardOrientation: word("VERTICAL", "HORIZONTAL") },
    {
      imageAlignment: word("LEFT", "RIGHT"),
      titleFontStyle: fontStyles,
      descriptionFontStyle: fontStyles,
      style: url,
    },
    imageAlignmentFitsOrientation,
  ),
  content,
});

/** Runs when all single fields are valid. */
const noTallMediaInSmallCards: ObjectRule = (value, path) => {
  const { layout, content: cards } = value as {
    layout: { cardWidth: string };
    content: { media?: { height: string } }[];
  };
  if (layout.cardWidth !== "SMALL_WIDTH") return null;
  const tall = cards.findIndex((each) => each.media?.height === "TALL_HEIGHT");
  return tall === -1
    ? null
    : at(`${path}.content[${tall}].media.height`, "TALL_HEIGHT not permitted with SMALL_WIDTH");
};

const carousel = object(
  { layout: object({ cardWidth: word("SMALL_WIDTH", "MEDIUM_WIDTH") }), content: list(2, 10, content) },
  {},
  noTallMediaInSmallCards,
);

const file = { fileUrl: url };
const fileDetails = { fileName: text(1), fileMIMEType: mimeType, fileSize: bytes };

const CONTENTS: Readonly<Record<string, Shape>> = {
  textMessage: text(1, 3072),
  fileMessage: object(file, {
    ...fileDetails,
    thumbnailUrl: url,
    thumbnailFileName: text(1),
    thumbnailMIMEType: mimeType,
    thumbnailFileSize: bytes,
  }),
  audioMessage: object(file, { ...fileDetails, playingLength: integer(0) }),
  geolocationPushMessage: object(
    { pos: text(1) },
    {
      label: text(0, 200),
      timestamp: instant,
      expiry: instant,
      timeOffset: integer(Number.NEGATIVE_INFINITY),
      radius: number(0, Number.MAX_VALUE),
    },
  ),
  richcardMessage: object({
    message: oneField({ generalPurposeCard: card, generalPurposeCardCarousel: carousel }),
  }),
  isTyping: word("active", "idle"),
};

const rcsMessage = object(
  {},
  {
    ...CONTENTS,
    suggestedChipList: object({ suggestions: list(1, 11, suggestion) }),
    trafficType: word("advertisement", "payment", "premium", "subscription"),
    expiry: instant,
  },
  exactlyOne(...Object.keys(CONTENTS)),
  excludes("isTyping", "suggestedChipList"),
);

const payload = object({
  RCSMessage: rcsMessage,
  messageContact: oneField({ userContact: phoneNumber, chatId: text(1) }),
});

/** Checks all fields of the payload of an RCS message. */
export const rcsPayload: FieldCheck<JsonObject> = (value) => payload(value, "");

/** Text of an RCS text message; empty for other messages. */
export function textOf(value: JsonObject): string {
  const { RCSMessage: message } = value as { RCSMessage: { textMessage?: string } };
  return message.textMessage ?? "";
}
