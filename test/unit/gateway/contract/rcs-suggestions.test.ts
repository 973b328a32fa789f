import assert from "node:assert/strict";
import { faultOf, refuses } from "./rcs-fault";
import { action, chips, event, open, phone, place, reply, SUGGESTIONS, URL, wide } from "./rcs-samples";

const CHIP = "suggestedChipList.suggestions[0]";
const LOCATION = "mapAction.showLocation.location";
const replyOf = (fields: object): object => ({ reply: { ...reply.reply, ...fields } });
const device = { deviceAction: { requestDeviceSpecifics: {} } };
const url = (openUrl: object): object => ({ urlAction: { openUrl } });
const dialer = (dialerAction: object): object => ({ dialerAction });
const compose = (composeAction: object): object => ({ composeAction });
const calendar = (createCalendarEvent: object): object => ({ calendarAction: { createCalendarEvent } });

describe("gateway RCS schemas: suggestions", () => {
  for (const [at, suggestion] of SUGGESTIONS.entries()) {
    it(`take suggestion ${at + 1}`, () => assert.equal(faultOf(chips(suggestion))?.message, undefined));
  }

  refuses<unknown>(
    {
      "an empty chip": ["", /exactly one of reply, action/, {}],
      "a chip of both kinds": ["", /reply and action/, { ...reply, ...open }],
      "no text on a chip": ["reply.displayText", /empty/, replyOf({ displayText: "" })],
      "26 characters on a chip": [
        "reply.displayText",
        /25 characters, but has 26/,
        replyOf({ displayText: wide(26) }),
      ],
      "a reply without postback": ["reply.postback", /missing/, { reply: { displayText: "x" } }],
      "2049 characters of postback": [
        "reply.postback.data",
        /2048 characters, but has 2049/,
        replyOf({ postback: { data: wide(2049) } }),
      ],
    },
    CHIP,
    chips,
  );

  refuses(
    {
      "no action": ["", /exactly one of urlAction/, {}],
      "two actions": ["", /urlAction and deviceAction/, { ...url({ url: URL }), ...device }],
      "an unknown action": ["jump", /not a field/, { jump: {} }],
      "two calls": ["dialerAction", /exactly one/, dialer({ dialPhoneNumber: phone, dialVideoCall: phone })],
      "a number without plus": [
        "dialerAction.dialPhoneNumber.phoneNumber",
        /plus/,
        dialer({ dialPhoneNumber: { phoneNumber: "41791234567" } }),
      ],
      "an event without end": [
        "calendarAction.createCalendarEvent.endTime",
        /missing/,
        calendar({ ...event, endTime: undefined }),
      ],
      "a message without text": [
        "composeAction.composeTextMessage.text",
        /missing/,
        compose({ composeTextMessage: phone }),
      ],
    },
    `${CHIP}.action`,
    (fields) => chips(action(fields)),
  );

  refuses(
    {
      "a place both ways": ["", /latitude and query/, { latitude: 1, longitude: 1, query: "x" }],
      "half a place": ["longitude", /required/, { latitude: 1 }],
      "a label beside words": ["latitude", /required with label/, { label: "x", query: "x" }],
      "too far north": ["latitude", /at most 90, but is 90\.1/, { latitude: 90.1, longitude: 1 }],
    },
    `${CHIP}.action.${LOCATION}`,
    place,
  );
});
