/**
 * Every numeric limit of the service, once. Units stand in the names or comments.
 * docs/service.md, Fields and limits.
 */
export const LIMITS = {
  /** Recipients in one SMS or WhatsApp broadcast request; the service answers 4025 above it. */
  recipientsPerRequest: 1000,
  /** Characters of a WhatsApp broadcast's messageContent. */
  broadcastContent: 10_000,
  /** Characters of a WhatsApp text; at least one. */
  textContent: 4096,
  /** Characters of a WhatsApp media description. */
  mediaDescription: 4096,
  /** Characters of a template after its placeholders are filled in. */
  templateContent: 4096,
  /** Characters of one placeholder value, which must not hold a line break. */
  placeholderValue: 1024,
  /** Seconds. */
  validityPeriodeMin: 60,
  /** Seconds: three days. */
  validityPeriodeMax: 259_200,
  /** Digits of an MSISDN in E.164, the country code included. */
  msisdnDigitsMin: 5,
  msisdnDigitsMax: 15,
} as const;
