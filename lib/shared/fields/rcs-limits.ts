/**
 * The limits of an RCS message, for the request schemas and the edit dialog. Texts in characters, lists
 * in entries. docs/service.md, RCS messages.
 */
export const RCS_LIMITS = {
  text: 3072,
  label: 200,
  title: 200,
  description: 2000,
  contentDescription: 200,
  /** Text on a suggestion; at least one. */
  displayText: 25,
  /** What comes back when a suggestion is chosen. */
  postbackData: 2048,
  /** Suggestions below a message; at least one. */
  chips: 11,
  /** Suggestions of one card; at least one. */
  cardSuggestions: 4,
  cardsMin: 2,
  cardsMax: 10,
} as const;

/** Allowed values of fields of an RCS message. */
export const RCS_WORDS = {
  trafficType: ["advertisement", "payment", "premium", "subscription"],
  cardOrientation: ["VERTICAL", "HORIZONTAL"],
  imageAlignment: ["LEFT", "RIGHT"],
  cardWidth: ["SMALL_WIDTH", "MEDIUM_WIDTH"],
  mediaHeight: ["SHORT_HEIGHT", "MEDIUM_HEIGHT", "TALL_HEIGHT"],
  isTyping: ["active", "idle"],
  recordingType: ["AUDIO", "VIDEO"],
} as const;
