import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../../../simulator/index";
import { bearer, postJson } from "../raw-request";

const CONTACT = { userContact: "+41790000000" };
const URL = "https://example.org/a.png";
const x = (length: number) => "x".repeat(length);
const emoji = (length: number) => "🙂".repeat(length);

const reply = { reply: { displayText: x(25), postback: { data: x(2048) } } };
const action = (fields: object) => ({ action: { displayText: "Go", ...fields } });
const open = action({ urlAction: { openUrl: { url: URL } } });
const event = { startTime: "2024-10-15T20:33:02Z", endTime: "2024-10-15T21:33:02.5+02:00", title: "T" };
const phone = { phoneNumber: "+41790000000" };
const media = { mediaUrl: URL, mediaContentType: "image/png", mediaFileSize: 1, height: "TALL_HEIGHT" };
const thumbnail = { thumbnailUrl: URL, thumbnailContentType: "image/png", thumbnailFileSize: 0 };

const chips = (...suggestions: object[]) => ({ textMessage: "x", suggestedChipList: { suggestions } });
const card = (content: object, layout: object = { cardOrientation: "VERTICAL" }) => ({
  richcardMessage: { message: { generalPurposeCard: { layout, content } } },
});
const carousel = (content: object[], cardWidth = "MEDIUM_WIDTH") => ({
  richcardMessage: { message: { generalPurposeCardCarousel: { layout: { cardWidth }, content } } },
});
const location = (fields: object) => chips(action({ mapAction: { showLocation: { location: fields } } }));

const GOOD: Record<string, object> = {
  "1 character": { textMessage: "x" },
  "3072 characters": { textMessage: emoji(3072) },
  "a traffic type and an expiry": {
    textMessage: "x",
    trafficType: "payment",
    expiry: "2030-01-01T00:00:00Z",
  },
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
  "an audio message": {
    audioMessage: { fileUrl: URL, fileName: "a", fileMIMEType: "audio/amr", fileSize: 1, playingLength: 9 },
  },
  "a position": { geolocationPushMessage: { pos: "geo:47.3,8.5" } },
  "a position with everything": {
    geolocationPushMessage: {
      pos: "geo:47.3,8.5",
      label: x(200),
      timestamp: "2024-10-15T20:33:02Z",
      expiry: "2024-10-15T20:33:02+02:00",
      timeOffset: -120,
      radius: 0.5,
    },
  },
  typing: { isTyping: "active" },
  "not typing": { isTyping: "idle" },
  "a title": card({ title: x(200) }),
  "a description": card({ description: x(2000) }),
  "a picture": card({ media: { ...media, ...thumbnail, contentDescription: x(200) } }),
  "a card with four suggestions": card({ title: "x", suggestions: [reply, reply, open, open] }),
  "a card with a style": card(
    { title: "x" },
    { cardOrientation: "VERTICAL", titleFontStyle: ["bold"], descriptionFontStyle: [], style: URL },
  ),
  "a card with its picture on the left": card(
    { title: "x" },
    { cardOrientation: "HORIZONTAL", imageAlignment: "LEFT" },
  ),
  "two cards": carousel([{ title: "x" }, { media }]),
  "ten small cards": carousel(
    Array.from({ length: 10 }, () => ({ media: { ...media, height: "SHORT_HEIGHT" } })),
    "SMALL_WIDTH",
  ),
  "eleven chips": chips(...Array.from({ length: 11 }, () => reply)),
  "a chip with a postback": chips(action({ urlAction: { openUrl: { url: URL } }, postback: { data: "" } })),
  "a web view": chips(
    action({ urlAction: { openUrl: { url: URL, application: "webview", viewMode: "full" } } }),
  ),
  "telephone calls": chips(
    action({ dialerAction: { dialPhoneNumber: { ...phone, fallbackUrl: URL } } }),
    action({ dialerAction: { dialEnrichedCall: phone } }),
    action({ dialerAction: { dialVideoCall: phone } }),
  ),
  "a place by coordinates": location({ latitude: -90, longitude: 180, label: "x" }),
  "a place by name": location({ query: "Zürich" }),
  "a request for a place": chips(action({ mapAction: { requestLocationPush: {} } })),
  "a calendar entry": chips(action({ calendarAction: { createCalendarEvent: event } })),
  "a calendar entry with everything": chips(
    action({ calendarAction: { createCalendarEvent: { ...event, description: "", fallbackUrl: URL } } }),
  ),
  "messages to compose": chips(
    action({ composeAction: { composeTextMessage: { ...phone, text: "x" } } }),
    action({ composeAction: { composeRecordingMessage: { ...phone, type: "VIDEO" } } }),
  ),
  "device and settings": chips(
    action({ deviceAction: { requestDeviceSpecifics: {} } }),
    action({ settingsAction: { disableAnonymization: {} } }),
    action({ settingsAction: { enableDisplayedNotifications: {} } }),
  ),
};

/** The path that the answer must name, below RCSMessage. */
const WRONG: Record<string, [string, object]> = {
  "no content": ["", {}],
  "two contents": ["", { textMessage: "x", isTyping: "idle" }],
  "an unknown field": [".text", { textMessage: "x", text: "x" }],
  "an inherited name": [".toString", { textMessage: "x", toString: 1 }],
  "an empty text": [".textMessage", { textMessage: "" }],
  "3073 characters": [".textMessage", { textMessage: x(3073) }],
  "a text that is a number": [".textMessage", { textMessage: 1 }],
  "another kind of typing": [".isTyping", { isTyping: "true" }],
  "chips while typing": [
    ".suggestedChipList",
    { isTyping: "active", suggestedChipList: { suggestions: [reply] } },
  ],
  "another traffic type": [".trafficType", { textMessage: "x", trafficType: "ads" }],
  "an expiry without zone": [".expiry", { textMessage: "x", expiry: "2030-01-01T00:00:00" }],
  "an expiry that is no day": [".expiry", { textMessage: "x", expiry: "2030-13-01T00:00:00Z" }],
  "a file without address": [".fileMessage.fileUrl", { fileMessage: { fileName: "a" } }],
  "a file by FTP": [".fileMessage.fileUrl", { fileMessage: { fileUrl: "ftp://example.org/" } }],
  "a file of half a byte": [".fileMessage.fileSize", { fileMessage: { fileUrl: URL, fileSize: 0.5 } }],
  "a file of no media type": [
    ".fileMessage.fileMIMEType",
    { fileMessage: { fileUrl: URL, fileMIMEType: "pdf" } },
  ],
  "a file that plays": [".fileMessage.playingLength", { fileMessage: { fileUrl: URL, playingLength: 1 } }],
  "an audio message without address": [".audioMessage.fileUrl", { audioMessage: {} }],
  "a negative length": [".audioMessage.playingLength", { audioMessage: { fileUrl: URL, playingLength: -1 } }],
  "no position": [".geolocationPushMessage.pos", { geolocationPushMessage: { label: "x" } }],
  "a long label": [".geolocationPushMessage.label", { geolocationPushMessage: { pos: "x", label: x(201) } }],
  "a negative radius": [
    ".geolocationPushMessage.radius",
    { geolocationPushMessage: { pos: "x", radius: -1 } },
  ],
  "half a minute": [
    ".geolocationPushMessage.timeOffset",
    { geolocationPushMessage: { pos: "x", timeOffset: 0.5 } },
  ],
  "a card that is a text": [".richcardMessage", { richcardMessage: "x" }],
  "no card": [".richcardMessage.message", { richcardMessage: { message: {} } }],
  "two kinds of card": [
    ".richcardMessage.message",
    {
      richcardMessage: {
        message: {
          ...card({ title: "x" }).richcardMessage.message,
          ...carousel([{ title: "x" }, { title: "x" }]).richcardMessage.message,
        },
      },
    },
  ],
  "an empty card": [".richcardMessage.message.generalPurposeCard.content", card({})],
  "a card of suggestions only": [
    ".richcardMessage.message.generalPurposeCard.content",
    card({ suggestions: [reply] }),
  ],
  "a long title": [".richcardMessage.message.generalPurposeCard.content.title", card({ title: x(201) })],
  "an empty title": [".richcardMessage.message.generalPurposeCard.content.title", card({ title: "" })],
  "a long description": [
    ".richcardMessage.message.generalPurposeCard.content.description",
    card({ description: x(2001) }),
  ],
  "five suggestions": [
    ".richcardMessage.message.generalPurposeCard.content.suggestions",
    card({ title: "x", suggestions: [reply, reply, reply, reply, reply] }),
  ],
  "no suggestions": [
    ".richcardMessage.message.generalPurposeCard.content.suggestions",
    card({ title: "x", suggestions: [] }),
  ],
  "no orientation": [
    ".richcardMessage.message.generalPurposeCard.layout.cardOrientation",
    card({ title: "x" }, {}),
  ],
  "a picture on the left of an upright card": [
    ".richcardMessage.message.generalPurposeCard.layout.imageAlignment",
    card({ title: "x" }, { cardOrientation: "VERTICAL", imageAlignment: "LEFT" }),
  ],
  "no side for the picture": [
    ".richcardMessage.message.generalPurposeCard.layout.imageAlignment",
    card({ title: "x" }, { cardOrientation: "HORIZONTAL" }),
  ],
  "a font style that is no list": [
    ".richcardMessage.message.generalPurposeCard.layout.titleFontStyle",
    card({ title: "x" }, { cardOrientation: "VERTICAL", titleFontStyle: "bold" }),
  ],
  "a picture without height": [
    ".richcardMessage.message.generalPurposeCard.content.media.height",
    card({ media: { mediaUrl: URL, mediaContentType: "image/png", mediaFileSize: 1 } }),
  ],
  "a thumbnail without its size": [
    ".richcardMessage.message.generalPurposeCard.content.media.thumbnailFileSize",
    card({ media: { ...media, thumbnailUrl: URL, thumbnailContentType: "image/png" } }),
  ],
  "an empty description of a picture": [
    ".richcardMessage.message.generalPurposeCard.content.media.contentDescription",
    card({ media: { ...media, contentDescription: "" } }),
  ],
  "one card": [".richcardMessage.message.generalPurposeCardCarousel.content", carousel([{ title: "x" }])],
  "eleven cards": [
    ".richcardMessage.message.generalPurposeCardCarousel.content",
    carousel(Array.from({ length: 11 }, () => ({ title: "x" }))),
  ],
  "an empty card among others": [
    ".richcardMessage.message.generalPurposeCardCarousel.content[1]",
    carousel([{ title: "x" }, {}]),
  ],
  "a tall picture in small cards": [
    ".richcardMessage.message.generalPurposeCardCarousel.content[1].media.height",
    carousel([{ title: "x" }, { media }], "SMALL_WIDTH"),
  ],
  "an unknown width": [
    ".richcardMessage.message.generalPurposeCardCarousel.layout.cardWidth",
    carousel([{ title: "x" }, { title: "x" }], "LARGE_WIDTH"),
  ],
  "no chips": [".suggestedChipList.suggestions", chips()],
  "twelve chips": [".suggestedChipList.suggestions", chips(...Array.from({ length: 12 }, () => reply))],
  "a chip that is a text": [
    ".suggestedChipList.suggestions[0]",
    { textMessage: "x", suggestedChipList: { suggestions: ["x"] } },
  ],
  "an empty chip": [".suggestedChipList.suggestions[1]", chips(reply, {})],
  "a chip of both kinds": [".suggestedChipList.suggestions[0]", chips({ ...reply, ...open })],
  "26 characters on a chip": [
    ".suggestedChipList.suggestions[0].reply.displayText",
    chips({ reply: { displayText: x(26), postback: { data: "x" } } }),
  ],
  "a reply without postback": [
    ".suggestedChipList.suggestions[0].reply.postback",
    chips({ reply: { displayText: "x" } }),
  ],
  "2049 characters of postback": [
    ".suggestedChipList.suggestions[0].reply.postback.data",
    chips({ reply: { displayText: "x", postback: { data: x(2049) } } }),
  ],
  "an action that does nothing": [".suggestedChipList.suggestions[0].action", chips(action({}))],
  "two actions": [
    ".suggestedChipList.suggestions[0].action",
    chips(action({ urlAction: { openUrl: { url: URL } }, deviceAction: { requestDeviceSpecifics: {} } })),
  ],
  "an unknown action": [".suggestedChipList.suggestions[0].action.jump", chips(action({ jump: {} }))],
  "a link without address": [
    ".suggestedChipList.suggestions[0].action.urlAction.openUrl.url",
    chips(action({ urlAction: { openUrl: {} } })),
  ],
  "two calls": [
    ".suggestedChipList.suggestions[0].action.dialerAction",
    chips(action({ dialerAction: { dialPhoneNumber: phone, dialVideoCall: phone } })),
  ],
  "a number without plus": [
    ".suggestedChipList.suggestions[0].action.dialerAction.dialPhoneNumber.phoneNumber",
    chips(action({ dialerAction: { dialPhoneNumber: { phoneNumber: "41790000000" } } })),
  ],
  "a place both ways": [
    ".suggestedChipList.suggestions[0].action.mapAction.showLocation.location",
    location({ latitude: 1, longitude: 1, query: "x" }),
  ],
  "half a place": [
    ".suggestedChipList.suggestions[0].action.mapAction.showLocation.location.longitude",
    location({ latitude: 1 }),
  ],
  "a latitude of 91": [
    ".suggestedChipList.suggestions[0].action.mapAction.showLocation.location.latitude",
    location({ latitude: 91, longitude: 1 }),
  ],
  "a longitude beside a name": [
    ".suggestedChipList.suggestions[0].action.mapAction.showLocation.location.latitude",
    location({ longitude: 1, query: "x" }),
  ],
  "a label beside a name": [
    ".suggestedChipList.suggestions[0].action.mapAction.showLocation.location.latitude",
    location({ label: "x", query: "x" }),
  ],
  "an event without end": [
    ".suggestedChipList.suggestions[0].action.calendarAction.createCalendarEvent.endTime",
    chips(action({ calendarAction: { createCalendarEvent: { startTime: event.startTime, title: "x" } } })),
  ],
  "a recording of another type": [
    ".suggestedChipList.suggestions[0].action.composeAction.composeRecordingMessage.type",
    chips(action({ composeAction: { composeRecordingMessage: { ...phone, type: "audio" } } })),
  ],
  "a message to compose without text": [
    ".suggestedChipList.suggestions[0].action.composeAction.composeTextMessage.text",
    chips(action({ composeAction: { composeTextMessage: phone } })),
  ],
  "device specifics with a field": [
    ".suggestedChipList.suggestions[0].action.deviceAction.requestDeviceSpecifics.all",
    chips(action({ deviceAction: { requestDeviceSpecifics: { all: true } } })),
  ],
  "both settings": [
    ".suggestedChipList.suggestions[0].action.settingsAction",
    chips(action({ settingsAction: { disableAnonymization: {}, enableDisplayedNotifications: {} } })),
  ],
};

describe("simulator: RCS", () => {
  let simulator: Simulator;
  let proof: string;

  before(async () => {
    simulator = await startSimulator();
  });
  beforeEach(async () => {
    simulator.main.reset();
    proof = await bearer(simulator.url, "messaging:rcs");
  });
  after(() => simulator.close());

  async function send(rcsPayload: unknown) {
    const { applicationId } = simulator.credentials;
    const answer = await postJson(
      `${simulator.url}/messaging/rcs/send`,
      { applicationId, recipient: "+41790000000", ...(rcsPayload === undefined ? {} : { rcsPayload }) },
      proof,
    );
    return { ...(JSON.parse(answer.body) as { statusCode: number; statusMessage: string }), ...answer };
  }

  for (const [name, RCSMessage] of Object.entries(GOOD)) {
    it(`takes ${name}`, async () => {
      const answer = await send({ RCSMessage, messageContact: CONTACT });
      assert.deepEqual([answer.httpStatus, answer.statusMessage], [201, "OK"]);
      const [message] = simulator.main.messages;
      assert.deepEqual([message?.channel, message?.operation], ["rcs", "rcs"]);
      assert.deepEqual(message?.fields.rcsPayload, { RCSMessage, messageContact: CONTACT });
      assert.equal(message?.content, "textMessage" in RCSMessage ? RCSMessage.textMessage : "");
    });
  }

  async function refused(rcsPayload: unknown, path: string) {
    const answer = await send(rcsPayload);
    assert.deepEqual([answer.httpStatus, answer.statusCode], [400, 4028]);
    // The whole path, and a reason behind it.
    const [, named, reason] = /^Invalid content: (\S+): (.+)$/.exec(answer.statusMessage) ?? [];
    assert.equal(named, path, answer.statusMessage);
    assert.ok(reason);
    assert.equal(simulator.main.messages.length, 0);
  }

  for (const [name, [path, RCSMessage]] of Object.entries(WRONG)) {
    it(`4028 for ${name}`, () =>
      refused({ RCSMessage, messageContact: CONTACT }, `rcsPayload.RCSMessage${path}`));
  }

  const good = { textMessage: "x" };
  const outside: Record<string, [string, unknown]> = {
    "no payload": ["rcsPayload", undefined],
    "a payload that is a text": ["rcsPayload", "x"],
    "a payload that is a list": ["rcsPayload", []],
    "no message": ["rcsPayload.RCSMessage", { messageContact: CONTACT }],
    "no contact": ["rcsPayload.messageContact", { RCSMessage: good }],
    "a third object": ["rcsPayload.other", { RCSMessage: good, messageContact: CONTACT, other: {} }],
    "an empty contact": ["rcsPayload.messageContact", { RCSMessage: good, messageContact: {} }],
    "two contacts": [
      "rcsPayload.messageContact",
      { RCSMessage: good, messageContact: { ...CONTACT, chatId: "x" } },
    ],
    "a contact without plus": [
      "rcsPayload.messageContact.userContact",
      { RCSMessage: good, messageContact: { userContact: "41790000000" } },
    ],
    "an empty chat id": [
      "rcsPayload.messageContact.chatId",
      { RCSMessage: good, messageContact: { chatId: "" } },
    ],
  };
  for (const [name, [path, payload]] of Object.entries(outside)) {
    it(`4028 for ${name}`, () => refused(payload, path));
  }

  it("takes a chat id", async () => {
    assert.equal((await send({ RCSMessage: good, messageContact: { chatId: "x" } })).httpStatus, 201);
  });

  it("does not look deeper than 50 levels", async () => {
    const nested = (levels: number) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
    assert.equal((await send(nested(49))).statusCode, 4028);
    for (const levels of [50, 200_000]) {
      const deep = `{"rcsPayload":${"[".repeat(levels)}${"]".repeat(levels)}}`;
      const answer = await postJson(`${simulator.url}/messaging/rcs/send`, deep, proof);
      assert.equal(answer.httpStatus, 400);
      assert.match(String(answer.headers["x-simulator-reason"]), /nested more than 50 levels/);
    }
  });

  it("masks secrets in the depth of the log, and nowhere else", async () => {
    const { password } = simulator.credentials;
    await send({ RCSMessage: { textMessage: `a ${password}` }, messageContact: CONTACT });
    const [, request] = simulator.main.requests;
    assert.ok(!JSON.stringify(request).includes(password));
    assert.deepEqual(request?.fields.rcsPayload, {
      RCSMessage: { textMessage: "a ***" },
      messageContact: CONTACT,
    });
    assert.equal(simulator.main.messages[0]?.content, `a ${password}`);
  });
});
