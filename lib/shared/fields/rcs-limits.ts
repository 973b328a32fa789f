/** Texts in characters, lists in entries (docs/service.md, RCS messages). */
export const RCS_LIMITS = {
  text: 3072,
  label: 200,
  title: 200,
  description: 2000,
  contentDescription: 200,
  displayText: 25,
  /** Returned when a suggestion is chosen. */
  postbackData: 2048,
  chips: 11,
  cardSuggestions: 4,
  cardsMin: 2,
  cardsMax: 10,
} as const;

export const RCS_WORDS = {
  trafficType: ["advertisement", "payment", "premium", "subscription"],
  cardOrientation: ["VERTICAL", "HORIZONTAL"],
  imageAlignment: ["LEFT", "RIGHT"],
  cardWidth: ["SMALL_WIDTH", "MEDIUM_WIDTH"],
  mediaHeight: ["SHORT_HEIGHT", "MEDIUM_HEIGHT", "TALL_HEIGHT"],
  isTyping: ["active", "idle"],
  recordingType: ["AUDIO", "VIDEO"],
} as const;
