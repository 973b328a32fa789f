import assert from "node:assert/strict";
import { checkMessageContact } from "../../../../lib/gateway/contract/rcs-schemas";
import { type BadMessages, faultOf, refuses } from "./rcs-fault";
import { card, carousel, chips, many, media, open, reply, thumbnail, URL, wide, x } from "./rcs-samples";

const CARD = "richcardMessage.message.generalPurposeCard";
const CONTENT = `${CARD}.content`;
const CAROUSEL = "richcardMessage.message.generalPurposeCardCarousel";
const HORIZONTAL = { cardOrientation: "HORIZONTAL", imageAlignment: "RIGHT" };
const two = (second: object): object => carousel([{ title: "x" }, second]);

const GOOD: Readonly<Record<string, object>> = {
  "a text of one character": { textMessage: "x" },
  "a text of 3072": { textMessage: wide(3072) },
  "traffic type and expiry": { textMessage: "x", trafficType: "payment", expiry: "2030-01-01T00:00:00Z" },
  "a file": { fileMessage: { fileUrl: URL } },
  "a file with everything": {
    fileMessage: {
      fileUrl: URL,
      fileName: "a.pdf",
      fileMIMEType: "application/pdf",
      fileSize: 0,
      thumbnailUrl: URL,
      thumbnailFileName: "a.png",
      thumbnailMIMEType: "image/png",
      thumbnailFileSize: 7,
    },
  },
  "an audio message with everything": {
    audioMessage: { fileUrl: URL, fileName: "a", fileMIMEType: "audio/amr", fileSize: 1, playingLength: 9 },
  },
  "a position with everything": {
    geolocationPushMessage: {
      pos: "47.3 8.5",
      label: wide(200),
      timestamp: "2024-10-15T20:33:02.123Z",
      expiry: "2024-10-15T20:33:02+02:00",
      timeOffset: -120,
      radius: 0.5,
    },
  },
  "typing and not": { isTyping: "active" },
  "a title of 200": card({ title: wide(200) }),
  "a description of 2000": card({ description: wide(2000) }),
  "a picture with everything": card({ media: { ...media, ...thumbnail, contentDescription: wide(200) } }),
  "a thumbnail's type alone": card({ media: { ...media, thumbnailContentType: "image/png" } }),
  "four suggestions on a card": card({ title: "x", suggestions: many(4, reply) }, HORIZONTAL),
  "a card with a style": card(
    { title: "x" },
    { cardOrientation: "VERTICAL", titleFontStyle: ["bold"], descriptionFontStyle: [], style: URL },
  ),
  "two cards": two({ media }),
  "ten small cards": carousel(many(10, { media: { ...media, height: "MEDIUM_HEIGHT" } }), "SMALL_WIDTH"),
  "one chip": chips(open),
  "eleven chips": chips(...many(11, reply)),
};

const BAD: BadMessages = {
  nothing: ["RCSMessage", /exactly one of textMessage, .*isTyping, but holds none/, {}],
  "no object": ["RCSMessage", /must be an object, but is 'x'/, "x"],
  "two contents": ["RCSMessage", /holds textMessage and isTyping/, { textMessage: "x", isTyping: "idle" }],
  "an unknown field": ["text", /is not a field of this object$/, { textMessage: "x", text: "x" }],
  "an empty text": ["textMessage", /empty/, { textMessage: "" }],
  "3073 characters": ["textMessage", /at most 3072 characters, but has 3073$/, { textMessage: wide(3073) }],
  "a text that is none": ["textMessage", /a text, but is 7/, { textMessage: 7 }],
  "other typing": ["isTyping", /'active' or 'idle', but is 'on'/, { isTyping: "on" }],
  "chips while typing": [
    "suggestedChipList",
    /isTyping/,
    { isTyping: "active", suggestedChipList: { suggestions: [reply] } },
  ],
  "another traffic type": [
    "trafficType",
    /'advertisement' or .*'ads'/,
    { textMessage: "x", trafficType: "ads" },
  ],
  "an expiry without zone": ["expiry", /zone/, { textMessage: "x", expiry: "2030-01-01T00:00:00" }],
  "an expiry that is no day": ["expiry", /zone/, { textMessage: "x", expiry: "2030-13-01T00:00:00Z" }],
  "no file": ["fileMessage.fileUrl", /missing/, { fileMessage: { fileName: "x" } }],
  "a file by FTP": ["fileMessage.fileUrl", /https/, { fileMessage: { fileUrl: "ftp://a.example" } }],
  "half a byte": ["fileMessage.fileSize", /whole.*0\.5/, { fileMessage: { fileUrl: URL, fileSize: 0.5 } }],
  "a file that plays": [
    "fileMessage.playingLength",
    /not a field/,
    { fileMessage: { fileUrl: URL, playingLength: 1 } },
  ],
  "audio with a picture": [
    "audioMessage.thumbnailUrl",
    /not a field/,
    { audioMessage: { fileUrl: URL, thumbnailUrl: URL } },
  ],
  "negative length": [
    "audioMessage.playingLength",
    /at least 0, but is -1/,
    { audioMessage: { fileUrl: URL, playingLength: -1 } },
  ],
  "no position": ["geolocationPushMessage.pos", /missing/, { geolocationPushMessage: { label: "x" } }],
  "a long label": [
    "geolocationPushMessage.label",
    /at most 200 characters, but has 201/,
    { geolocationPushMessage: { pos: "x", label: x(201) } },
  ],
  "negative radius": [
    "geolocationPushMessage.radius",
    /at least 0, but is -1/,
    { geolocationPushMessage: { pos: "x", radius: -1 } },
  ],
  "half a minute": [
    "geolocationPushMessage.timeOffset",
    /a whole number, but is 0\.5/,
    { geolocationPushMessage: { pos: "x", timeOffset: 0.5 } },
  ],
  "no card": ["richcardMessage.message", /exactly one/, { richcardMessage: { message: {} } }],
  "both kinds of card": [
    "richcardMessage.message",
    /generalPurposeCard and generalPurposeCardCarousel/,
    {
      richcardMessage: {
        message: {
          generalPurposeCard: { layout: { cardOrientation: "VERTICAL" }, content: { title: "x" } },
          generalPurposeCardCarousel: {
            layout: { cardWidth: "MEDIUM_WIDTH" },
            content: [{ title: "x" }, { title: "x" }],
          },
        },
      },
    },
  ],
  "an empty card": [CONTENT, /at least one of media, title, description/, card({})],
  "suggestions alone": [CONTENT, /at least one/, card({ suggestions: [reply] })],
  "an empty title": [`${CONTENT}.title`, /empty/, card({ title: "" })],
  "a long title": [`${CONTENT}.title`, /200 characters, but has 201/, card({ title: wide(201) })],
  "an empty description": [`${CONTENT}.description`, /empty/, card({ description: "" })],
  "a long description": [
    `${CONTENT}.description`,
    /2000 characters, but has 2001/,
    card({ description: x(2001) }),
  ],
  "five suggestions": [
    `${CONTENT}.suggestions`,
    /at most 4 entries, but has 5/,
    card({ title: "x", suggestions: many(5, reply) }),
  ],
  "no suggestions": [`${CONTENT}.suggestions`, /at least 1 entry/, card({ title: "x", suggestions: [] })],
  "a misspelled field": [`${CONTENT}.titel`, /not a field/, card({ title: "x", titel: "x" })],
  "no orientation": [`${CARD}.layout.cardOrientation`, /missing/, card({ title: "x" }, {})],
  "alignment of an upright card": [
    `${CARD}.layout.imageAlignment`,
    /VERTICAL/,
    card({ title: "x" }, { ...HORIZONTAL, cardOrientation: "VERTICAL" }),
  ],
  "no alignment of a wide card": [
    `${CARD}.layout.imageAlignment`,
    /required with HORIZONTAL/,
    card({ title: "x" }, { cardOrientation: "HORIZONTAL" }),
  ],
  ...Object.fromEntries(
    Object.keys(media).map((key) => [
      `a picture without ${key}`,
      [`${CONTENT}.media.${key}`, /missing/, card({ media: { ...media, [key]: undefined } })],
    ]),
  ),
  ...Object.fromEntries(
    ["thumbnailContentType", "thumbnailFileSize"].map((key) => [
      `a thumbnail without ${key}`,
      [
        `${CONTENT}.media.${key}`,
        /required with thumbnailUrl/,
        card({ media: { ...media, ...thumbnail, [key]: undefined } }),
      ],
    ]),
  ),
  "an empty picture description": [
    `${CONTENT}.media.contentDescription`,
    /empty/,
    card({ media: { ...media, contentDescription: "" } }),
  ],
  "a long picture description": [
    `${CONTENT}.media.contentDescription`,
    /200 characters, but has 201/,
    card({ media: { ...media, contentDescription: x(201) } }),
  ],
  "one card": [`${CAROUSEL}.content`, /at least 2 entries, but has 1/, carousel([{ title: "x" }])],
  "eleven cards": [
    `${CAROUSEL}.content`,
    /at most 10 entries, but has 11/,
    carousel(many(11, { title: "x" })),
  ],
  "an empty card among others": [`${CAROUSEL}.content[1]`, /at least one/, two({})],
  "a long title among others": [`${CAROUSEL}.content[1].title`, /200/, two({ title: x(201) })],
  "a tall picture in small cards": [
    `${CAROUSEL}.content[1].media.height`,
    /TALL_HEIGHT.*SMALL_WIDTH/,
    carousel([{ title: "x" }, { media }], "SMALL_WIDTH"),
  ],
  "another width": [`${CAROUSEL}.layout.cardWidth`, /'LARGE'/, carousel(many(2, { title: "x" }), "LARGE")],
  "no chips": ["suggestedChipList.suggestions", /at least 1 entry, but has 0/, chips()],
  "twelve chips": [
    "suggestedChipList.suggestions",
    /at most 11 entries, but has 12/,
    chips(...many(12, reply)),
  ],
};

describe("gateway RCS schemas", () => {
  for (const [title, message] of Object.entries(GOOD)) {
    it(`take ${title}`, () => assert.equal(faultOf(message)?.message, undefined));
  }

  refuses(BAD);

  it("take one contact, by number or by id, and nothing else", () => {
    const refused = (contact: unknown): string | undefined => faultOf(contact, checkMessageContact)?.field;
    assert.equal(refused({ userContact: "+41791234567" }), undefined);
    assert.equal(refused({ chatId: "x" }), undefined);
    assert.equal(refused({}), "messageContact");
    assert.equal(refused({ userContact: "+41791234567", chatId: "x" }), "messageContact");
    assert.equal(refused({ userContact: "41791234567" }), "userContact");
    assert.equal(refused({ chatId: "" }), "chatId");
    assert.equal(refused({ chatId: "x", name: "x" }), "name");
  });
});
