import assert from "node:assert/strict";
import { type BadMessages, faultOf, refuses } from "./rcs-fault";
import { action, chips, event, open, phone, place, reply, SUGGESTIONS, URL, wide, x } from "./rcs-samples";

const CHIP = "suggestedChipList.suggestions[0]";

const BAD: BadMessages = {
  "a chip that is a text": [CHIP, /an object, but is 'x'/, chips("x")],
  "an empty chip": [CHIP, /exactly one of reply, action/, chips({})],
  "a chip of both kinds": [CHIP, /reply and action/, chips({ ...reply, ...open })],
  "no text on a chip": [
    `${CHIP}.reply.displayText`,
    /empty/,
    chips({ reply: { ...reply.reply, displayText: "" } }),
  ],
  "26 characters on a chip": [
    `${CHIP}.reply.displayText`,
    /25 characters, but has 26/,
    chips({ reply: { ...reply.reply, displayText: wide(26) } }),
  ],
  "26 characters on an action": [
    `${CHIP}.action.displayText`,
    /25 characters, but has 26/,
    chips(action({ displayText: x(26), deviceAction: { requestDeviceSpecifics: {} } })),
  ],
  "a reply without postback": [`${CHIP}.reply.postback`, /missing/, chips({ reply: { displayText: "x" } })],
  "2049 characters of postback": [
    `${CHIP}.reply.postback.data`,
    /2048 characters, but has 2049/,
    chips({ reply: { displayText: "x", postback: { data: wide(2049) } } }),
  ],
  "no action": [`${CHIP}.action`, /exactly one of urlAction/, chips(action({}))],
  "two actions": [
    `${CHIP}.action`,
    /urlAction and deviceAction/,
    chips(action({ urlAction: { openUrl: { url: URL } }, deviceAction: { requestDeviceSpecifics: {} } })),
  ],
  "an unknown action": [`${CHIP}.action.jump`, /not a field/, chips(action({ jump: {} }))],
  "no address": [
    `${CHIP}.action.urlAction.openUrl.url`,
    /missing/,
    chips(action({ urlAction: { openUrl: {} } })),
  ],
  "two calls": [
    `${CHIP}.action.dialerAction`,
    /exactly one/,
    chips(action({ dialerAction: { dialPhoneNumber: phone, dialVideoCall: phone } })),
  ],
  "a number without plus": [
    `${CHIP}.action.dialerAction.dialPhoneNumber.phoneNumber`,
    /plus/,
    chips(action({ dialerAction: { dialPhoneNumber: { phoneNumber: "41791234567" } } })),
  ],
  "a place both ways": [
    `${CHIP}.action.mapAction.showLocation.location`,
    /latitude and query/,
    place({ latitude: 1, longitude: 1, query: "x" }),
  ],
  "half a place": [
    `${CHIP}.action.mapAction.showLocation.location.longitude`,
    /required/,
    place({ latitude: 1 }),
  ],
  "half a place beside words": [
    `${CHIP}.action.mapAction.showLocation.location.latitude`,
    /required with longitude/,
    place({ longitude: 1, query: "x" }),
  ],
  "a label beside words": [
    `${CHIP}.action.mapAction.showLocation.location.latitude`,
    /required with label/,
    place({ label: "x", query: "x" }),
  ],
  "too far north": [
    `${CHIP}.action.mapAction.showLocation.location.latitude`,
    /at most 90, but is 90\.1/,
    place({ latitude: 90.1, longitude: 1 }),
  ],
  "too far west": [
    `${CHIP}.action.mapAction.showLocation.location.longitude`,
    /at least -180/,
    place({ latitude: 1, longitude: -180.1 }),
  ],
  "an event without end": [
    `${CHIP}.action.calendarAction.createCalendarEvent.endTime`,
    /missing/,
    chips(action({ calendarAction: { createCalendarEvent: { ...event, endTime: undefined } } })),
  ],
  "a message without text": [
    `${CHIP}.action.composeAction.composeTextMessage.text`,
    /missing/,
    chips(action({ composeAction: { composeTextMessage: phone } })),
  ],
  "another recording": [
    `${CHIP}.action.composeAction.composeRecordingMessage.type`,
    /'AUDIO' or 'VIDEO'/,
    chips(action({ composeAction: { composeRecordingMessage: { ...phone, type: "audio" } } })),
  ],
  "both settings": [
    `${CHIP}.action.settingsAction`,
    /exactly one/,
    chips(action({ settingsAction: { disableAnonymization: {}, enableDisplayedNotifications: {} } })),
  ],
};

describe("gateway RCS schemas: suggestions", () => {
  for (const [at, suggestion] of SUGGESTIONS.entries()) {
    it(`take suggestion ${at + 1}`, () => assert.equal(faultOf(chips(suggestion))?.message, undefined));
  }

  refuses(BAD);

  it("name each of several faults", () => {
    const error = faultOf(chips({ reply: { displayText: x(26), postback: { data: 7 }, x: 1 } }));
    assert.match(error?.message ?? "", /displayText.*; .*postback\.data.*; .*\.x is not a field/);
  });
});
