import { z } from "zod";
import { countCharacters, isWebUrl } from "./field-checks";
import type { FieldCheck, JsonObject } from "./field-rules";

// The objects RCSMessage and messageContact of the parameter rcsPayload, as the service checks them.

type Shapes = Readonly<Record<string, z.ZodType>>;
type Refinement = [rule: (value: object) => boolean, problem: { path: string[]; error: string }];

const text = (min = 0, max = Number.POSITIVE_INFINITY) =>
  z.string().refine((value) => countCharacters(value) >= min && countCharacters(value) <= max, {
    error: ({ input }) => `${countCharacters(String(input))} characters, ${min} to ${max} allowed`,
  });
const url = z.string().refine(isWebUrl, "must be an http or https URL");
const instant = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/, "must have date, time and zone")
  .refine((value) => !Number.isNaN(Date.parse(value)), "is no time");
const phoneNumber = z.string().regex(/^\+[1-9]\d{4,14}$/, "must be an international number with plus");
const mimeType = z.string().regex(/^[\w.+-]+\/[\w.+-]+$/, "must be a media type");
const bytes = z.int().min(0);
const nothing = z.strictObject({});

const object = (required: Shapes, optional: Shapes = {}) =>
  z.strictObject({ ...required, ...z.object(optional).partial().shape });

const exactlyOne = (...names: readonly string[]): Refinement => [
  (value) => names.filter((name) => Object.hasOwn(value, name)).length === 1,
  { path: [], error: `needs exactly one of ${names.join(", ")}` },
];
const needs = (name: string, other: string): Refinement => [
  (value) => !Object.hasOwn(value, name) || Object.hasOwn(value, other),
  { path: [other], error: `is required with ${name}` },
];
const oneField = (shapes: Shapes) => object({}, shapes).refine(...exactlyOne(...Object.keys(shapes)));

const displayText = text(1, 25);
const postback = object({ data: text(0, 2048) });

const dial = object({ phoneNumber }, { fallbackUrl: url });
const location = object(
  {},
  {
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    label: text(0, 200),
    query: text(1),
  },
)
  .refine(...exactlyOne("latitude", "query"))
  .refine(...needs("latitude", "longitude"))
  .refine(...needs("longitude", "latitude"))
  .refine(...needs("label", "latitude"));

const ACTIONS: Shapes = {
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
    composeRecordingMessage: object({ phoneNumber, type: z.enum(["AUDIO", "VIDEO"]) }),
  }),
  deviceAction: object({ requestDeviceSpecifics: nothing }),
  settingsAction: oneField({ disableAnonymization: nothing, enableDisplayedNotifications: nothing }),
};

const suggestion = oneField({
  reply: object({ displayText, postback }),
  action: object({ displayText }, { postback, ...ACTIONS }).refine(...exactlyOne(...Object.keys(ACTIONS))),
});

const media = object(
  {
    mediaUrl: url,
    mediaContentType: mimeType,
    mediaFileSize: bytes,
    height: z.enum(["SHORT_HEIGHT", "MEDIUM_HEIGHT", "TALL_HEIGHT"]),
  },
  {
    thumbnailUrl: url,
    thumbnailContentType: mimeType,
    thumbnailFileSize: bytes,
    contentDescription: text(1, 200),
  },
)
  .refine(...needs("thumbnailUrl", "thumbnailContentType"))
  .refine(...needs("thumbnailUrl", "thumbnailFileSize"));

const content = object(
  {},
  {
    media,
    title: text(1, 200),
    description: text(1, 2000),
    suggestions: z.array(suggestion).min(1).max(4),
  },
).refine(
  (value) => ["media", "title", "description"].some((name) => Object.hasOwn(value, name)),
  "needs one of media, title, description",
);

const fontStyles = z.array(text(1)).max(10);
const layout = { titleFontStyle: fontStyles, descriptionFontStyle: fontStyles, style: url };
const imageAlignment = z.enum(["LEFT", "RIGHT"]);

const card = object({
  layout: z.discriminatedUnion("cardOrientation", [
    object({ cardOrientation: z.literal("VERTICAL") }, layout),
    object({ cardOrientation: z.literal("HORIZONTAL"), imageAlignment }, layout),
  ]),
  content,
});

const carousel = object({
  layout: object({ cardWidth: z.enum(["SMALL_WIDTH", "MEDIUM_WIDTH"]) }),
  content: z.array(content).min(2).max(10),
}).superRefine((value, context) => {
  const { layout, content: cards } = value as {
    layout: { cardWidth: string };
    content: { media?: { height: string } }[];
  };
  const tall = cards.findIndex((each) => each.media?.height === "TALL_HEIGHT");
  if (layout.cardWidth === "SMALL_WIDTH" && tall !== -1) {
    const path = ["content", tall, "media", "height"];
    context.addIssue({ code: "custom", path, message: "TALL_HEIGHT not permitted with SMALL_WIDTH" });
  }
});

const file = { fileUrl: url };
const fileDetails = { fileName: text(1), fileMIMEType: mimeType, fileSize: bytes };

const CONTENTS: Shapes = {
  textMessage: text(1, 3072),
  fileMessage: object(file, {
    ...fileDetails,
    thumbnailUrl: url,
    thumbnailFileName: text(1),
    thumbnailMIMEType: mimeType,
    thumbnailFileSize: bytes,
  }),
  audioMessage: object(file, { ...fileDetails, playingLength: bytes }),
  geolocationPushMessage: object(
    { pos: text(1) },
    {
      label: text(0, 200),
      timestamp: instant,
      expiry: instant,
      timeOffset: z.int(),
      radius: z.number().min(0),
    },
  ),
  richcardMessage: object({
    message: oneField({ generalPurposeCard: card, generalPurposeCardCarousel: carousel }),
  }),
  isTyping: z.enum(["active", "idle"]),
};

const rcsMessage = object(
  {},
  {
    ...CONTENTS,
    suggestedChipList: object({ suggestions: z.array(suggestion).min(1).max(11) }),
    trafficType: z.enum(["advertisement", "payment", "premium", "subscription"]),
    expiry: instant,
  },
)
  .refine(...exactlyOne(...Object.keys(CONTENTS)))
  .refine((value) => !("isTyping" in value && "suggestedChipList" in value), {
    path: ["suggestedChipList"],
    error: "not permitted with isTyping",
  });

const payload = object({
  RCSMessage: rcsMessage,
  messageContact: oneField({ userContact: phoneNumber, chatId: text(1) }),
});

export const rcsPayload: FieldCheck<JsonObject> = (value) => {
  const [issue] = payload.safeParse(value).error?.issues ?? [];
  if (!issue) return null;
  const [unknown] = issue.code === "unrecognized_keys" ? issue.keys : [];
  const path = [...issue.path, ...(unknown === undefined ? [] : [unknown])];
  return {
    path: path.map((each) => (typeof each === "number" ? `[${each}]` : `.${String(each)}`)).join(""),
    reason: issue.message,
  };
};

export function textOf(value: JsonObject): string {
  const { RCSMessage: message } = value as { RCSMessage: { textMessage?: string } };
  return message.textMessage ?? "";
}
