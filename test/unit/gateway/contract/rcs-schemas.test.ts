import assert from "node:assert/strict";
import { checkMessageContact } from "../../../../lib/gateway/contract/rcs-schemas";
import { type BadValues, faultOf, refuses } from "./rcs-fault";
import { card, carousel, chips, many, media, reply, thumbnail, URL, wide, x } from "./rcs-samples";

const CARD = "richcardMessage.message.generalPurposeCard";
const HORIZONTAL = { cardOrientation: "HORIZONTAL", imageAlignment: "RIGHT" };
const CAROUSEL = "richcardMessage.message.generalPurposeCardCarousel";
const title = { title: "x" };
const typing = { isTyping: "active" };
const text = (fields: object): object => ({ textMessage: "x", ...fields });
const file = (fields: object): object => ({ fileMessage: { fileUrl: URL, ...fields } });
const audio = (fields: object): object => ({ audioMessage: { fileUrl: URL, ...fields } });
const position = (fields: object): object => ({ geolocationPushMessage: { pos: "x", ...fields } });
const two = (second: object): object => carousel([title, second]);
/** What a rich card message holds. */
const inside = (message: object): object =>
  (message as { richcardMessage: { message: object } }).richcardMessage.message;

const GOOD: Readonly<Record<string, object>> = {
  "a text of 3072": { textMessage: wide(3072) },
  "a file": file({}),
  "a file with everything": file({
    fileName: "a.pdf",
    fileMIMEType: "application/pdf",
    fileSize: 0,
    thumbnailUrl: URL,
    thumbnailFileName: "a.png",
    thumbnailMIMEType: "image/png",
    thumbnailFileSize: 7,
  }),
  "an audio message with everything": audio({
    fileName: "a",
    fileMIMEType: "audio/amr",
    fileSize: 1,
    playingLength: 9,
  }),
  "a position with everything": position({
    pos: "47.3 8.5",
    label: wide(200),
    timestamp: "2024-10-15T20:33:02.123Z",
    expiry: "2024-10-15T20:33:02+02:00",
    timeOffset: -120,
    radius: 0.5,
  }),
  "typing and not": typing,
  "a title of 200": card({ title: wide(200) }),
  "a description of 2000": card({ description: wide(2000) }),
  "a picture with everything": card({ media: { ...media, ...thumbnail, contentDescription: wide(200) } }),
  "four suggestions on a card": card({ ...title, suggestions: many(4, reply) }, HORIZONTAL),
  "a card with a style": card(
    { title: "x" },
    { cardOrientation: "VERTICAL", titleFontStyle: ["bold"], descriptionFontStyle: [], style: URL },
  ),
  "two cards": two({ media }),
  "ten small cards": carousel(many(10, { media: { ...media, height: "MEDIUM_HEIGHT" } }), "SMALL_WIDTH"),
  "eleven chips": chips(...many(11, reply)),
};

describe("gateway RCS schemas", () => {
  for (const [what, message] of Object.entries(GOOD)) {
    it(`take ${what}`, () => assert.equal(faultOf(message)?.message, undefined));
  }

  refuses<unknown>({
    nothing: ["RCSMessage", /exactly one of textMessage, .*isTyping, but contains none/, {}],
    "no object": ["RCSMessage", /must be an object, but is 'x'/, "x"],
    "two contents": ["RCSMessage", /contains textMessage and isTyping/, text(typing)],
    "an unknown field": ["text", /is not a field of this object$/, text({ text: "x" })],
    "an empty text": ["textMessage", /empty/, { textMessage: "" }],
    "3073 characters": ["textMessage", /at most 3072 characters, but has 3073$/, { textMessage: wide(3073) }],
    "other typing": ["isTyping", /'active' or 'idle', but is 'on'/, { isTyping: "on" }],
    "chips while typing": [
      "suggestedChipList",
      /isTyping/,
      { ...typing, suggestedChipList: { suggestions: [reply] } },
    ],
    "another traffic type": ["trafficType", /'advertisement' or .*'ads'/, text({ trafficType: "ads" })],
    "an expiry without zone": ["expiry", /zone/, text({ expiry: "2030-01-01T00:00:00" })],
    "no file": ["fileMessage.fileUrl", /missing/, { fileMessage: { fileName: "x" } }],
    "a file by FTP": ["fileMessage.fileUrl", /https/, file({ fileUrl: "ftp://a.example" })],
    "half a byte": ["fileMessage.fileSize", /whole.*0\.5/, file({ fileSize: 0.5 })],
    "negative length": ["audioMessage.playingLength", /at least 0, but is -1/, audio({ playingLength: -1 })],
    "no position": ["geolocationPushMessage.pos", /missing/, { geolocationPushMessage: { label: "x" } }],
    "a long label": [
      "geolocationPushMessage.label",
      /at most 200 characters, but has 201/,
      position({ label: x(201) }),
    ],
    "no card": ["richcardMessage.message", /exactly one/, { richcardMessage: { message: {} } }],
    "both kinds of card": [
      "richcardMessage.message",
      /generalPurposeCard and generalPurposeCardCarousel/,
      { richcardMessage: { message: { ...inside(card(title)), ...inside(two(title)) } } },
    ],
    "one card": [`${CAROUSEL}.content`, /at least 2 entries, but has 1/, carousel([title])],
    "eleven cards": [`${CAROUSEL}.content`, /at most 10 entries, but has 11/, carousel(many(11, title))],
    "a tall picture in small cards": [
      `${CAROUSEL}.content[1].media.height`,
      /TALL_HEIGHT.*SMALL_WIDTH/,
      carousel([title, { media }], "SMALL_WIDTH"),
    ],
    "no chips": ["suggestedChipList.suggestions", /at least 1 entry, but has 0/, chips()],
    "twelve chips": [
      "suggestedChipList.suggestions",
      /at most 11 entries, but has 12/,
      chips(...many(12, reply)),
    ],
  });

  refuses(
    {
      "an empty card": ["", /at least one of media, title, description/, {}],
      "an empty title": ["title", /empty/, { title: "" }],
      "a long title": ["title", /200 characters, but has 201/, { title: wide(201) }],
      "a long description": ["description", /2000 characters, but has 2001/, { description: x(2001) }],
      "five suggestions": [
        "suggestions",
        /at most 4 entries, but has 5/,
        { ...title, suggestions: many(5, reply) },
      ],
      "no suggestions": ["suggestions", /at least 1 entry/, { ...title, suggestions: [] }],
    },
    `${CARD}.content`,
    card,
  );

  refuses(
    {
      "no orientation": ["cardOrientation", /missing/, {}],
      "alignment of an upright card": [
        "imageAlignment",
        /VERTICAL/,
        { ...HORIZONTAL, cardOrientation: "VERTICAL" },
      ],
      "no alignment of a wide card": [
        "imageAlignment",
        /required with HORIZONTAL/,
        { cardOrientation: "HORIZONTAL" },
      ],
    },
    `${CARD}.layout`,
    (layout) => card(title, layout),
  );

  const without = (whole: object, words: RegExp, what: string, keys: readonly string[]): BadValues<object> =>
    Object.fromEntries(
      keys.map((key) => [`${what} without ${key}`, [key, words, { ...whole, [key]: undefined }]]),
    );
  refuses(
    {
      ...without(media, /missing/, "a picture", Object.keys(media)),
      ...without({ ...media, ...thumbnail }, /required with thumbnailUrl/, "a thumbnail", [
        "thumbnailContentType",
        "thumbnailFileSize",
      ]),
      "a long picture description": [
        "contentDescription",
        /200 characters, but has 201/,
        { ...media, contentDescription: x(201) },
      ],
    },
    `${CARD}.content.media`,
    (picture) => card({ media: picture }),
  );

  it("accepts one contact, by number or by id, and nothing else", () => {
    const number = "+41791234567";
    for (const [contact, field] of [
      [{ userContact: number }, undefined],
      [{ chatId: "x" }, undefined],
      [{}, "messageContact"],
      [{ userContact: number, chatId: "x" }, "messageContact"],
      [{ userContact: number.slice(1) }, "userContact"],
      [{ chatId: "" }, "chatId"],
      [{ chatId: "x", name: "x" }, "name"],
    ] as const) {
      assert.equal(faultOf(contact, checkMessageContact)?.field, field, JSON.stringify(contact));
    }
  });
});
