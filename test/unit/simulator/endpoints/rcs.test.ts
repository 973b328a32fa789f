import assert from "node:assert/strict";
import { inspect } from "node:util";
import { assertFields, useSimulator } from "../../../support/simulator";

const messageContact = { userContact: "+41790000000" };
const URL = "https://example.org/a.png";
const PHONE = { phoneNumber: "+41790000000" };
const x = (length: number) => "x".repeat(length);
const emoji = (length: number) => "🙂".repeat(length);
const times = (count: number, value: object) => Array.from({ length: count }, () => value);

// Builders of whole messages; `fields` are added to a valid content.
const text = (fields: object) => ({ textMessage: "x", ...fields });
const file = (fields: object) => ({ fileMessage: { fileUrl: URL, ...fields } });
const geo = (fields: object) => ({ geolocationPushMessage: { pos: "geo:47.3,8.5", ...fields } });
const VERTICAL = { cardOrientation: "VERTICAL" };
const HORIZONTAL = { cardOrientation: "HORIZONTAL" };
const card = (content: object, layout: object = VERTICAL) => ({
  richcardMessage: { message: { generalPurposeCard: { layout, content } } },
});
const carousel = (content: object[], cardWidth = "MEDIUM_WIDTH") => ({
  richcardMessage: { message: { generalPurposeCardCarousel: { layout: { cardWidth }, content } } },
});
const [one, many] = [card({ title: "x" }), carousel([{ title: "x" }, { title: "x" }])];
const CARD_AND_CAROUSEL = {
  richcardMessage: { message: { ...one.richcardMessage.message, ...many.richcardMessage.message } },
};
const chips = (...suggestions: unknown[]) => text({ suggestedChipList: { suggestions } });

// Suggestions, and messages with one action.
const replyWith = (displayText: string, data: string) => ({ reply: { displayText, postback: { data } } });
const reply = replyWith(x(25), x(2048));
const action = (fields: object) => ({ action: { displayText: "Go", ...fields } });
const act = (fields: object) => chips(action(fields));
const urlAction = (fields: object = {}) => ({ urlAction: { openUrl: { url: URL, ...fields } } });
const open = action(urlAction());
const dial = (dialerAction: object) => action({ dialerAction });
const compose = (composeAction: object) => action({ composeAction });
const ANONYMITY = { disableAnonymization: {} };
const NOTIFICATIONS = { enableDisplayedNotifications: {} };
const settings = (settingsAction: object) => action({ settingsAction });
const device = (fields: object) => ({ deviceAction: { requestDeviceSpecifics: fields } });
const location = (fields: object) => act({ mapAction: { showLocation: { location: fields } } });
const event = { startTime: "2024-10-15T20:33:02Z", endTime: "2024-10-15T21:33:02.5+02:00", title: "T" };
const calendar = (fields: object) =>
  act({ calendarAction: { createCalendarEvent: { ...event, ...fields } } });

const TITLE = { title: "x" };
const layout = (fields: object) => card(TITLE, { ...VERTICAL, ...fields });
const cardWith = (suggestions: object[]) => card({ ...TITLE, suggestions });
const imageOf = (fields: object) => ({ mediaUrl: URL, mediaContentType: "image/png", ...fields });
const media = imageOf({ mediaFileSize: 1, height: "TALL_HEIGHT" });
const short = { media: { ...media, height: "SHORT_HEIGHT" } };
const thumbnail = { thumbnailUrl: URL, thumbnailContentType: "image/png" };

const GOOD: readonly object[] = [
  { textMessage: "x" },
  { textMessage: emoji(3072) },
  file({}),
  file({
    ...{ fileName: "a.pdf", fileMIMEType: "application/pdf", fileSize: 0, thumbnailUrl: URL },
    ...{ thumbnailFileName: "a.png", thumbnailMIMEType: "image/png", thumbnailFileSize: 7 },
  }),
  geo({}),
  geo({
    ...{ label: x(200), timestamp: "2024-10-15T20:33:02Z", expiry: "2024-10-15T20:33:02+02:00" },
    ...{ timeOffset: -120, radius: 0.5 },
  }),
  { isTyping: "active" },
  card({ title: x(200) }),
  card({ media: { ...media, ...thumbnail, thumbnailFileSize: 0, contentDescription: x(200) } }),
  card(TITLE, { ...HORIZONTAL, imageAlignment: "LEFT" }),
  carousel([TITLE, { media }]),
  carousel(times(10, short), "SMALL_WIDTH"),
  chips(...times(11, reply)),
  chips(
    dial({ dialPhoneNumber: { ...PHONE, fallbackUrl: URL } }),
    dial({ dialEnrichedCall: PHONE }),
    dial({ dialVideoCall: PHONE }),
  ),
  location({ latitude: -90, longitude: 180, label: "x" }),
  act({ mapAction: { requestLocationPush: {} } }),
  calendar({ description: "", fallbackUrl: URL }),
  chips(
    compose({ composeTextMessage: { ...PHONE, text: "x" } }),
    compose({ composeRecordingMessage: { ...PHONE, type: "VIDEO" } }),
  ),
  chips(action(device({})), settings(ANONYMITY), settings(NOTIFICATIONS)),
];

/** Wrong messages, and the path below RCSMessage that the answer names; capitals stand for `PREFIXES`. */
const WRONG: readonly (readonly [path: string, ...messages: object[]])[] = [
  ["", {}, text({ isTyping: "idle" })],
  [".text", text({ text: "x" })],
  [".textMessage", { textMessage: "" }, { textMessage: x(3073) }, { textMessage: 1 }],
  [".isTyping", { isTyping: "true" }],
  [".suggestedChipList", { isTyping: "active", suggestedChipList: { suggestions: [reply] } }],
  [".expiry", text({ expiry: "2030-01-01T00:00:00" }), text({ expiry: "2030-13-01T00:00:00Z" })],
  ["FILE.fileUrl", { fileMessage: { fileName: "a" } }, file({ fileUrl: "ftp://example.org/" })],
  ["FILE.fileSize", file({ fileSize: 0.5 })],
  [".audioMessage.fileUrl", { audioMessage: {} }],
  ["GEO.pos", { geolocationPushMessage: { label: "x" } }],
  [".richcardMessage.message", { richcardMessage: { message: {} } }, CARD_AND_CAROUSEL],
  ["CARD.content", card({}), card({ suggestions: [reply] })],
  ["CARD.content.title", card({ title: x(201) }), card({ title: "" })],
  ["CARD.content.description", card({ description: x(2001) })],
  ["CARD.content.suggestions", cardWith(times(5, reply)), cardWith([])],
  ["CARD.layout.cardOrientation", card(TITLE, {})],
  ["CARD.layout.imageAlignment", layout({ imageAlignment: "LEFT" }), card(TITLE, HORIZONTAL)],
  ["CARD.content.media.height", card({ media: imageOf({ mediaFileSize: 1 }) })],
  ["CAROUSEL.content", carousel([TITLE]), carousel(times(11, TITLE))],
  ["CAROUSEL.content[1].media.height", carousel([TITLE, { media }], "SMALL_WIDTH")],
  [".suggestedChipList.suggestions", chips(), chips(...times(12, reply))],
  ["CHIP[0]", chips("x"), chips({ ...reply, ...open })],
  ["CHIP[0].reply.displayText", chips(replyWith(x(26), "x"))],
  ["CHIP[0].reply.postback.data", chips(replyWith("x", x(2049)))],
  ["CHIP[0].action", act({}), act({ ...urlAction(), ...device({}) })],
  ["ACTION.jump", act({ jump: {} })],
  ["ACTION.urlAction.openUrl.url", act({ urlAction: { openUrl: {} } })],
  ["DIAL.phoneNumber", chips(dial({ dialPhoneNumber: { phoneNumber: "41790000000" } }))],
  ["LOCATION", location({ latitude: 1, longitude: 1, query: "x" })],
  ["LOCATION.latitude", location({ latitude: 91, longitude: 1 }), location({ longitude: 1, query: "x" })],
  ["ACTION.calendarAction.createCalendarEvent.endTime", calendar({ endTime: undefined })],
];

const PREFIXES: Readonly<Record<string, string>> = {
  CAROUSEL: ".richcardMessage.message.generalPurposeCardCarousel",
  CARD: ".richcardMessage.message.generalPurposeCard",
  CHIP: ".suggestedChipList.suggestions",
  ACTION: ".suggestedChipList.suggestions[0].action",
  DIAL: ".suggestedChipList.suggestions[0].action.dialerAction.dialPhoneNumber",
  LOCATION: ".suggestedChipList.suggestions[0].action.mapAction.showLocation.location",
  RECORDING: ".suggestedChipList.suggestions[0].action.composeAction.composeRecordingMessage",
  FILE: ".fileMessage",
  GEO: ".geolocationPushMessage",
};
const fullPath = (path: string) =>
  `rcsPayload.RCSMessage${path.replace(/^[A-Z]+/, (name) => PREFIXES[name] ?? "")}`;
const shown = (value: unknown) =>
  inspect(value, { compact: true, breakLength: 1000, depth: 8, maxStringLength: 20, maxArrayLength: 2 });

describe("simulator: RCS", () => {
  const sim = useSimulator();
  const send = (rcsPayload: unknown) => sim.send("rcs", { recipient: "+41790000000", rcsPayload });

  for (const RCSMessage of GOOD) {
    it(`accepts ${shown(RCSMessage)}`, async () => {
      const { httpStatus, value } = await send({ RCSMessage, messageContact });
      assert.deepEqual([httpStatus, value.statusMessage], [201, "OK"]);
      const [message] = sim.main.messages;
      const content = "textMessage" in RCSMessage ? String(RCSMessage.textMessage) : "";
      assertFields(message, { channel: "rcs", operation: "rcs", content });
      assert.deepEqual(message?.fields.rcsPayload, { RCSMessage, messageContact });
    });
  }

  async function refused(rcsPayload: unknown, path: string) {
    const answer = await send(rcsPayload);
    assertFields(answer, { httpStatus: 400, code: 4028 });
    // The whole path, and a reason behind it.
    const { statusMessage } = answer.value;
    const [, named, reason] = /^Invalid content: (\S+): (.+)$/.exec(statusMessage) ?? [];
    assert.equal(named, path, statusMessage);
    assert.ok(reason);
    assert.equal(sim.main.messages.length, 0);
  }

  for (const [path, ...messages] of WRONG) {
    for (const RCSMessage of messages)
      it(`4028 for ${path || "RCSMessage"} of ${shown(RCSMessage)}`, () =>
        refused({ RCSMessage, messageContact }, fullPath(path)));
  }

  const RCSMessage = { textMessage: "x" };
  const toContact = (contact: object) => ({ RCSMessage, messageContact: contact });
  const outside: readonly (readonly [path: string, ...payloads: unknown[]])[] = [
    ["rcsPayload", undefined, "x", []],
    ["rcsPayload.RCSMessage", { messageContact }],
    ["rcsPayload.messageContact", { RCSMessage }, toContact({})],
    ["rcsPayload.other", { RCSMessage, messageContact, other: {} }],
    ["rcsPayload.messageContact", toContact({ ...messageContact, chatId: "x" })],
    ["rcsPayload.messageContact.userContact", toContact({ userContact: "41790000000" })],
    ["rcsPayload.messageContact.chatId", toContact({ chatId: "" })],
  ];
  for (const [path, ...payloads] of outside) {
    for (const payload of payloads) it(`4028 for ${path} of ${shown(payload)}`, () => refused(payload, path));
  }
});
