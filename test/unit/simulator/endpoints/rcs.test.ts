import assert from "node:assert/strict";
import { inspect } from "node:util";
import { bearer, postJson } from "../raw-request";
import { useSimulator } from "../use-simulator";

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
const act = (fields: object) => chips(action(fields));
const card = (content: object, layout: object = { cardOrientation: "VERTICAL" }) => ({
  richcardMessage: { message: { generalPurposeCard: { layout, content } } },
});
const carousel = (content: object[], cardWidth = "MEDIUM_WIDTH") => ({
  richcardMessage: { message: { generalPurposeCardCarousel: { layout: { cardWidth }, content } } },
});
const location = (fields: object) => act({ mapAction: { showLocation: { location: fields } } });

const GOOD: readonly object[] = [
  { textMessage: "x" },
  { textMessage: emoji(3072) },
  {
    textMessage: "x",
    trafficType: "payment",
    expiry: "2030-01-01T00:00:00Z",
  },
  { fileMessage: { fileUrl: URL } },
  {
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
  {
    audioMessage: { fileUrl: URL, fileName: "a", fileMIMEType: "audio/amr", fileSize: 1, playingLength: 9 },
  },
  { geolocationPushMessage: { pos: "geo:47.3,8.5" } },
  {
    geolocationPushMessage: {
      pos: "geo:47.3,8.5",
      label: x(200),
      timestamp: "2024-10-15T20:33:02Z",
      expiry: "2024-10-15T20:33:02+02:00",
      timeOffset: -120,
      radius: 0.5,
    },
  },
  { isTyping: "active" },
  { isTyping: "idle" },
  card({ title: x(200) }),
  card({ description: x(2000) }),
  card({ media: { ...media, ...thumbnail, contentDescription: x(200) } }),
  card({ title: "x", suggestions: [reply, reply, open, open] }),
  card(
    { title: "x" },
    { cardOrientation: "VERTICAL", titleFontStyle: ["bold"], descriptionFontStyle: [], style: URL },
  ),
  card({ title: "x" }, { cardOrientation: "HORIZONTAL", imageAlignment: "LEFT" }),
  carousel([{ title: "x" }, { media }]),
  carousel(
    Array.from({ length: 10 }, () => ({ media: { ...media, height: "SHORT_HEIGHT" } })),
    "SMALL_WIDTH",
  ),
  chips(...Array.from({ length: 11 }, () => reply)),
  act({ urlAction: { openUrl: { url: URL } }, postback: { data: "" } }),
  chips(action({ urlAction: { openUrl: { url: URL, application: "webview", viewMode: "full" } } })),
  chips(
    action({ dialerAction: { dialPhoneNumber: { ...phone, fallbackUrl: URL } } }),
    action({ dialerAction: { dialEnrichedCall: phone } }),
    action({ dialerAction: { dialVideoCall: phone } }),
  ),
  location({ latitude: -90, longitude: 180, label: "x" }),
  location({ query: "Zürich" }),
  act({ mapAction: { requestLocationPush: {} } }),
  act({ calendarAction: { createCalendarEvent: event } }),
  chips(action({ calendarAction: { createCalendarEvent: { ...event, description: "", fallbackUrl: URL } } })),
  chips(
    action({ composeAction: { composeTextMessage: { ...phone, text: "x" } } }),
    action({ composeAction: { composeRecordingMessage: { ...phone, type: "VIDEO" } } }),
  ),
  chips(
    action({ deviceAction: { requestDeviceSpecifics: {} } }),
    action({ settingsAction: { disableAnonymization: {} } }),
    action({ settingsAction: { enableDisplayedNotifications: {} } }),
  ),
];

/** Wrong messages, and the path below RCSMessage that the answer names; capitals stand for `PREFIXES`. */
const WRONG: readonly (readonly [path: string, message: object])[] = [
  ["", {}],
  ["", { textMessage: "x", isTyping: "idle" }],
  [".text", { textMessage: "x", text: "x" }],
  [".toString", { textMessage: "x", toString: 1 }],
  [".textMessage", { textMessage: "" }],
  [".textMessage", { textMessage: x(3073) }],
  [".textMessage", { textMessage: 1 }],
  [".isTyping", { isTyping: "true" }],
  [".suggestedChipList", { isTyping: "active", suggestedChipList: { suggestions: [reply] } }],
  [".trafficType", { textMessage: "x", trafficType: "ads" }],
  [".expiry", { textMessage: "x", expiry: "2030-01-01T00:00:00" }],
  [".expiry", { textMessage: "x", expiry: "2030-13-01T00:00:00Z" }],
  [".fileMessage.fileUrl", { fileMessage: { fileName: "a" } }],
  [".fileMessage.fileUrl", { fileMessage: { fileUrl: "ftp://example.org/" } }],
  [".fileMessage.fileSize", { fileMessage: { fileUrl: URL, fileSize: 0.5 } }],
  [".fileMessage.fileMIMEType", { fileMessage: { fileUrl: URL, fileMIMEType: "pdf" } }],
  [".fileMessage.playingLength", { fileMessage: { fileUrl: URL, playingLength: 1 } }],
  [".audioMessage.fileUrl", { audioMessage: {} }],
  [".audioMessage.playingLength", { audioMessage: { fileUrl: URL, playingLength: -1 } }],
  ["GEO.pos", { geolocationPushMessage: { label: "x" } }],
  ["GEO.label", { geolocationPushMessage: { pos: "x", label: x(201) } }],
  ["GEO.radius", { geolocationPushMessage: { pos: "x", radius: -1 } }],
  ["GEO.timeOffset", { geolocationPushMessage: { pos: "x", timeOffset: 0.5 } }],
  [".richcardMessage", { richcardMessage: "x" }],
  [".richcardMessage.message", { richcardMessage: { message: {} } }],
  [
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
  ["CARD.content", card({})],
  ["CARD.content", card({ suggestions: [reply] })],
  ["CARD.content.title", card({ title: x(201) })],
  ["CARD.content.title", card({ title: "" })],
  ["CARD.content.description", card({ description: x(2001) })],
  ["CARD.content.suggestions", card({ title: "x", suggestions: [reply, reply, reply, reply, reply] })],
  ["CARD.content.suggestions", card({ title: "x", suggestions: [] })],
  ["CARD.layout.cardOrientation", card({ title: "x" }, {})],
  [
    "CARD.layout.imageAlignment",
    card({ title: "x" }, { cardOrientation: "VERTICAL", imageAlignment: "LEFT" }),
  ],
  ["CARD.layout.imageAlignment", card({ title: "x" }, { cardOrientation: "HORIZONTAL" })],
  [
    "CARD.layout.titleFontStyle",
    card({ title: "x" }, { cardOrientation: "VERTICAL", titleFontStyle: "bold" }),
  ],
  [
    "CARD.content.media.height",
    card({ media: { mediaUrl: URL, mediaContentType: "image/png", mediaFileSize: 1 } }),
  ],
  [
    "CARD.content.media.thumbnailFileSize",
    card({ media: { ...media, thumbnailUrl: URL, thumbnailContentType: "image/png" } }),
  ],
  ["CARD.content.media.contentDescription", card({ media: { ...media, contentDescription: "" } })],
  ["CAROUSEL.content", carousel([{ title: "x" }])],
  ["CAROUSEL.content", carousel(Array.from({ length: 11 }, () => ({ title: "x" })))],
  ["CAROUSEL.content[1]", carousel([{ title: "x" }, {}])],
  ["CAROUSEL.content[1].media.height", carousel([{ title: "x" }, { media }], "SMALL_WIDTH")],
  ["CAROUSEL.layout.cardWidth", carousel([{ title: "x" }, { title: "x" }], "LARGE_WIDTH")],
  [".suggestedChipList.suggestions", chips()],
  [".suggestedChipList.suggestions", chips(...Array.from({ length: 12 }, () => reply))],
  ["CHIP[0]", { textMessage: "x", suggestedChipList: { suggestions: ["x"] } }],
  ["CHIP[1]", chips(reply, {})],
  ["CHIP[0]", chips({ ...reply, ...open })],
  ["CHIP[0].reply.displayText", chips({ reply: { displayText: x(26), postback: { data: "x" } } })],
  ["CHIP[0].reply.postback", chips({ reply: { displayText: "x" } })],
  ["CHIP[0].reply.postback.data", chips({ reply: { displayText: "x", postback: { data: x(2049) } } })],
  ["CHIP[0].action", act({})],
  [
    "CHIP[0].action",
    act({ urlAction: { openUrl: { url: URL } }, deviceAction: { requestDeviceSpecifics: {} } }),
  ],
  ["ACTION.jump", act({ jump: {} })],
  ["ACTION.urlAction.openUrl.url", act({ urlAction: { openUrl: {} } })],
  ["ACTION.dialerAction", act({ dialerAction: { dialPhoneNumber: phone, dialVideoCall: phone } })],
  [
    "ACTION.dialerAction.dialPhoneNumber.phoneNumber",
    act({ dialerAction: { dialPhoneNumber: { phoneNumber: "41790000000" } } }),
  ],
  ["ACTION.mapAction.showLocation.location", location({ latitude: 1, longitude: 1, query: "x" })],
  ["ACTION.mapAction.showLocation.location.longitude", location({ latitude: 1 })],
  ["ACTION.mapAction.showLocation.location.latitude", location({ latitude: 91, longitude: 1 })],
  ["ACTION.mapAction.showLocation.location.latitude", location({ longitude: 1, query: "x" })],
  ["ACTION.mapAction.showLocation.location.latitude", location({ label: "x", query: "x" })],
  [
    "ACTION.calendarAction.createCalendarEvent.endTime",
    act({ calendarAction: { createCalendarEvent: { startTime: event.startTime, title: "x" } } }),
  ],
  [
    "ACTION.composeAction.composeRecordingMessage.type",
    act({ composeAction: { composeRecordingMessage: { ...phone, type: "audio" } } }),
  ],
  ["ACTION.composeAction.composeTextMessage.text", act({ composeAction: { composeTextMessage: phone } })],
  [
    "ACTION.deviceAction.requestDeviceSpecifics.all",
    act({ deviceAction: { requestDeviceSpecifics: { all: true } } }),
  ],
  [
    "ACTION.settingsAction",
    act({ settingsAction: { disableAnonymization: {}, enableDisplayedNotifications: {} } }),
  ],
];

const PREFIXES: Readonly<Record<string, string>> = {
  CAROUSEL: ".richcardMessage.message.generalPurposeCardCarousel",
  CARD: ".richcardMessage.message.generalPurposeCard",
  "CHIP[": ".suggestedChipList.suggestions[",
  GEO: ".geolocationPushMessage",
  ACTION: ".suggestedChipList.suggestions[0].action",
};
const fullPath = (path: string) =>
  `rcsPayload.RCSMessage${path.replace(/^(CAROUSEL|CARD|CHIP\[|GEO|ACTION)/, (name) => PREFIXES[name] ?? "")}`;
const shown = (value: unknown) =>
  inspect(value, {
    compact: true,
    breakLength: Number.POSITIVE_INFINITY,
    depth: 8,
    maxStringLength: 20,
    maxArrayLength: 2,
  });

describe("simulator: RCS", () => {
  const simulator = useSimulator();
  let token: string;

  beforeEach(async () => {
    token = await bearer(simulator.url, "messaging:rcs");
  });

  async function send(rcsPayload: unknown) {
    const { applicationId } = simulator.credentials;
    const answer = await postJson(
      `${simulator.url}/messaging/rcs/send`,
      { applicationId, recipient: "+41790000000", ...(rcsPayload === undefined ? {} : { rcsPayload }) },
      token,
    );
    return { ...(JSON.parse(answer.body) as { statusCode: number; statusMessage: string }), ...answer };
  }

  for (const RCSMessage of GOOD) {
    it(`accepts ${shown(RCSMessage)}`, async () => {
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

  for (const [path, RCSMessage] of WRONG) {
    it(`4028 for ${path || "RCSMessage"} of ${shown(RCSMessage)}`, () =>
      refused({ RCSMessage, messageContact: CONTACT }, fullPath(path)));
  }

  const good = { textMessage: "x" };
  const outside: readonly (readonly [path: string, payload: unknown])[] = [
    ["rcsPayload", undefined],
    ["rcsPayload", "x"],
    ["rcsPayload", []],
    ["rcsPayload.RCSMessage", { messageContact: CONTACT }],
    ["rcsPayload.messageContact", { RCSMessage: good }],
    ["rcsPayload.other", { RCSMessage: good, messageContact: CONTACT, other: {} }],
    ["rcsPayload.messageContact", { RCSMessage: good, messageContact: {} }],
    ["rcsPayload.messageContact", { RCSMessage: good, messageContact: { ...CONTACT, chatId: "x" } }],
    [
      "rcsPayload.messageContact.userContact",
      { RCSMessage: good, messageContact: { userContact: "41790000000" } },
    ],
    ["rcsPayload.messageContact.chatId", { RCSMessage: good, messageContact: { chatId: "" } }],
  ];
  for (const [path, payload] of outside) {
    it(`4028 for ${path} of ${shown(payload)}`, () => refused(payload, path));
  }

  it("takes a chat id", async () => {
    assert.equal((await send({ RCSMessage: good, messageContact: { chatId: "x" } })).httpStatus, 201);
  });

  it("does not look deeper than 50 levels", async () => {
    const nested = (levels: number) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
    assert.equal((await send(nested(49))).statusCode, 4028);
    for (const levels of [50, 200_000]) {
      const deep = `{"rcsPayload":${"[".repeat(levels)}${"]".repeat(levels)}}`;
      const answer = await postJson(`${simulator.url}/messaging/rcs/send`, deep, token);
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
