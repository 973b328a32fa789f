/** Texts in characters, times in seconds (docs/service.md, Fields and limits). */
export const LIMITS = {
  /** The service returns 4025 above it. */
  recipientsPerRequest: 1000,
  broadcastContent: 10_000,
  /** Characters, at least one. */
  textContent: 4096,
  mediaDescription: 4096,
  /** Characters with its placeholders filled in. */
  templateContent: 4096,
  /** Characters, without line breaks. */
  placeholderValue: 1024,
  validityPeriodeMin: 60,
  validityPeriodeMax: 259_200,
  /** E.164 digits, country code included. */
  msisdnDigitsMin: 5,
  msisdnDigitsMax: 15,
} as const;
