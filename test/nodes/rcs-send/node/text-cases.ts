import { type Case, list, literal, reply, WIDE } from "./literals";

/** Text messages, and all that suggestions can be. */
export const TEXT_CASES: Readonly<Record<string, Case>> = {
  "text: the least": {
    sender: { kind: "text" },
    msg: { payload: `Grüße 5 € ${WIDE}` },
    RCSMessage: { textMessage: `Grüße 5 € ${WIDE}` },
  },
  "text: replies typed in, traffic type, expiry": {
    sender: {
      kind: "text",
      ...list("suggestions", "Yes", "No"),
      ...literal("trafficType", "choice", "payment"),
      ...literal("expiry", "str", "2030-12-31T18:00:00Z"),
    },
    msg: { payload: "Well?" },
    RCSMessage: {
      textMessage: "Well?",
      suggestedChipList: { suggestions: [reply("Yes"), reply("No")] },
      trafficType: "payment",
      expiry: "2030-12-31T18:00:00Z",
    },
  },
  "text: everything short that suggestions can be": {
    sender: { kind: "text", ...literal("suggestions", "msg", "options") },
    msg: {
      payload: "x",
      options: [
        "Yes",
        2,
        { text: "No", data: "order-7-no" },
        { text: "Site", url: "https://example.com" },
        { text: "Call", phone: "+41 79 123-45-67", data: "called" },
        { text: "Find", place: "Bern" },
        { text: "Meet", place: { latitude: 46.95, longitude: 7.44 } },
        reply("In full"),
      ],
    },
    RCSMessage: {
      textMessage: "x",
      suggestedChipList: {
        suggestions: [
          reply("Yes"),
          reply("2"),
          reply("No", "order-7-no"),
          { action: { displayText: "Site", urlAction: { openUrl: { url: "https://example.com" } } } },
          {
            action: {
              displayText: "Call",
              dialerAction: { dialPhoneNumber: { phoneNumber: "+41791234567" } },
              postback: { data: "called" },
            },
          },
          { action: { displayText: "Find", mapAction: { showLocation: { location: { query: "Bern" } } } } },
          {
            action: {
              displayText: "Meet",
              mapAction: { showLocation: { location: { latitude: 46.95, longitude: 7.44 } } },
            },
          },
          reply("In full"),
        ],
      },
    },
  },
  "text: suggestions as lines": {
    sender: { kind: "text", ...literal("suggestions", "msg", "options") },
    msg: { payload: "x", options: "Yes\r\n No \n" },
    RCSMessage: { textMessage: "x", suggestedChipList: { suggestions: [reply("Yes"), reply("No")] } },
  },
  "text: suggestions as JSON in the node": {
    sender: { kind: "text", ...literal("suggestions", "json", '["Yes", {"text": "No", "data": "n"}]') },
    msg: { payload: "x" },
    RCSMessage: { textMessage: "x", suggestedChipList: { suggestions: [reply("Yes"), reply("No", "n")] } },
  },
};
