/** Good parts of RCS messages, for tests to put together and to spoil. */

export const URL = "https://example.com/a.png";
export const x = (length: number): string => "x".repeat(length);
/** Characters that count as one and are two UTF-16 units long. */
export const wide = (length: number): string => "\u{1F600}".repeat(length);
export const many = <T>(count: number, entry: T): T[] => Array.from({ length: count }, () => entry);

export const reply = { reply: { displayText: "Yes", postback: { data: "yes" } } };
export const action = (fields: object): object => ({ action: { displayText: "Go", ...fields } });
export const open = action({ urlAction: { openUrl: { url: URL } } });
export const phone = { phoneNumber: "+41791234567" };
export const event = { startTime: "2030-01-01T10:00:00Z", endTime: "2030-01-01T11:00:00+01:00", title: "T" };
export const media = {
  mediaUrl: URL,
  mediaContentType: "image/png",
  mediaFileSize: 1,
  height: "TALL_HEIGHT",
};
export const thumbnail = { thumbnailUrl: URL, thumbnailContentType: "image/png", thumbnailFileSize: 0 };

export const chips = (...suggestions: unknown[]): object => ({
  textMessage: "x",
  suggestedChipList: { suggestions },
});
export const place = (location: object): object =>
  chips(action({ mapAction: { showLocation: { location } } }));
export const card = (content: object, layout: object = { cardOrientation: "VERTICAL" }): object => ({
  richcardMessage: { message: { generalPurposeCard: { layout, content } } },
});
export const carousel = (content: unknown, cardWidth = "MEDIUM_WIDTH"): object => ({
  richcardMessage: { message: { generalPurposeCardCarousel: { layout: { cardWidth }, content } } },
});

/** One of each kind of suggestion, with everything it may hold. */
export const SUGGESTIONS: readonly object[] = [
  { reply: { displayText: wide(25), postback: { data: wide(2048) } } },
  action({ displayText: x(25), postback: { data: "" }, urlAction: { openUrl: { url: "tel:117" } } }),
  action({ urlAction: { openUrl: { url: URL, application: "webview", viewMode: "full" } } }),
  action({ dialerAction: { dialPhoneNumber: { ...phone, fallbackUrl: URL } } }),
  action({ dialerAction: { dialEnrichedCall: phone } }),
  action({ dialerAction: { dialVideoCall: phone } }),
  action({
    mapAction: {
      showLocation: { location: { latitude: -90, longitude: 180, label: "x" }, fallbackUrl: URL },
    },
  }),
  action({ mapAction: { showLocation: { location: { query: "Bern" } } } }),
  action({ mapAction: { requestLocationPush: {} } }),
  action({ calendarAction: { createCalendarEvent: { ...event, description: "", fallbackUrl: URL } } }),
  action({ composeAction: { composeTextMessage: { ...phone, text: "x" } } }),
  action({ composeAction: { composeRecordingMessage: { ...phone, type: "VIDEO" } } }),
  action({ deviceAction: { requestDeviceSpecifics: {} } }),
  action({ settingsAction: { disableAnonymization: {} } }),
  action({ settingsAction: { enableDisplayedNotifications: {} } }),
];
