import { RCS_LIMITS, RCS_WORDS } from "../../shared/fields/rcs-limits";
import { decimal, e164, oneOf, text } from "./field-rules";
import { anyUrl, exactlyOne, instant, needs, object, oneField } from "./object-rules";

/** A suggested reply or action (docs/service.md, RCS messages). */

const displayText = text(1, RCS_LIMITS.displayText);
const postback = object({ data: text(0, RCS_LIMITS.postbackData) });
const fallbackUrl = anyUrl().optional();
const nothing = object({}).optional();

const dial = object({ phoneNumber: e164(), fallbackUrl }).optional();

const location = object(
  {
    latitude: decimal(-90, 90).optional(),
    longitude: decimal(-180, 180).optional(),
    label: text(0).optional(),
    query: text(1).optional(),
  },
  exactlyOne("latitude", "query"),
  needs("latitude", "longitude"),
  needs("longitude", "latitude"),
  needs("label", "latitude"),
);

const calendarEvent = object({
  startTime: instant(),
  endTime: instant(),
  title: text(1),
  description: text(0).optional(),
  fallbackUrl,
});

const ACTIONS = {
  urlAction: object({
    openUrl: object({ url: anyUrl(), application: text(1).optional(), viewMode: text(1).optional() }),
  }).optional(),
  dialerAction: oneField({ dialPhoneNumber: dial, dialEnrichedCall: dial, dialVideoCall: dial }).optional(),
  mapAction: oneField({
    showLocation: object({ location, fallbackUrl }).optional(),
    requestLocationPush: nothing,
  }).optional(),
  calendarAction: object({ createCalendarEvent: calendarEvent }).optional(),
  composeAction: oneField({
    composeTextMessage: object({ phoneNumber: e164(), text: text(0) }).optional(),
    composeRecordingMessage: object({
      phoneNumber: e164(),
      type: oneOf(...RCS_WORDS.recordingType),
    }).optional(),
  }).optional(),
  deviceAction: object({ requestDeviceSpecifics: object({}) }).optional(),
  settingsAction: oneField({
    disableAnonymization: nothing,
    enableDisplayedNotifications: nothing,
  }).optional(),
};

export const suggestion = oneField({
  reply: object({ displayText, postback }).optional(),
  action: object(
    { displayText, postback: postback.optional(), ...ACTIONS },
    exactlyOne(...Object.keys(ACTIONS)),
  ).optional(),
});
