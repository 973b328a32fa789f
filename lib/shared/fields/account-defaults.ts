/**
 * What a new account starts with, and the ranges of its numbers. Edit dialog and runtime read the same table.
 * Times in seconds, as users type them.
 */
export const ACCOUNT_DEFAULTS = {
  service: "simulator",
  serviceAddress: "",
  /** Blank: the same as the service address. */
  tokenAddress: "",
  legacyAuth: "basic",
  applicationId: "",
  defaultCountry: "",
  connections: 8,
  /** 0: no limit. */
  requestsPerSecond: 0,
  queueLimit: 10_000,
  attempts: 5,
  connectTimeout: 10,
  answerTimeout: 30,
  refusedAt503: false,
  restPrefix: false,
  /** `computer`, `postgresql` or `memory`. */
  keepMessages: "computer",
  /** Blank: in Node-RED's user directory. */
  storeFolder: "",
  storeSchema: "messaging",
  keepDays: 62,
  keepTexts: false,
  /** KiB. */
  snapshotLimit: 256,
  /** `all`, or codes of countries with commas between. */
  allowedCountries: "all",
  /** For SMS and flash SMS. */
  mobileOnly: true,
  noPremiumNumbers: true,
  /** Whether messages leave only at some hours of the week. What follows says at which. */
  sendingHours: false,
  /** `mon` to `sun` with commas between. */
  sendingDays: "mon,tue,wed,thu,fri",
  /** Times of day. A second one that is earlier is on the day after. */
  sendingFrom: "08:00",
  sendingTo: "20:00",
  /** Whose time counts: that of the `recipient`, where its country has one time zone, or of the `account`. */
  sendingBy: "recipient",
  /** What becomes of messages outside the hours: `hold` until they begin, or `refuse`. */
  sendingAction: "hold",
  /** Categories of messages that leave at any hour, with commas between. */
  sendingExempt: "",
  /** Of the account; blank: Node-RED's. */
  timeZone: "",
  /** Billed messages an hour and a day, of the account and to one number; blank: no limit. */
  limitHour: "",
  limitDay: "",
  limitNumberHour: "",
  limitNumberDay: "",
  /** What becomes of messages above a limit: `hold` until the next hour or day, or `refuse`. */
  limitAction: "hold",
  /** Whether a skipped message is an error where no node is wired to its output, as a failure is. */
  skippedErrors: false,
  /** What becomes of messages while the service refuses the sign-in: `wait`, or `fail`. */
  whenRefused: "wait",
  /** Whether nothing leaves. */
  stopSending: false,
} as const;

export interface NumberRange {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

/** Both ends included. */
export const ACCOUNT_RANGES = {
  connections: { min: 1, max: 256, whole: true },
  requestsPerSecond: { min: 0, max: 10_000, whole: false },
  queueLimit: { min: 0, max: 1_000_000, whole: true },
  attempts: { min: 1, max: 20, whole: true },
  connectTimeout: { min: 0.1, max: 600, whole: false },
  answerTimeout: { min: 0.1, max: 600, whole: false },
  keepDays: { min: 1, max: 3_650, whole: true },
  snapshotLimit: { min: 0, max: 16_384, whole: true },
} as const satisfies Readonly<Record<string, NumberRange>>;

/** Messages of a limit. */
export const LIMIT_RANGE: NumberRange = { min: 1, max: 1_000_000_000, whole: true };

/** Limits of messages, each one a property of an account. */
export const LIMIT_NAMES = ["limitHour", "limitDay", "limitNumberHour", "limitNumberDay"] as const;

/** Paths used unless the account has others: the service publishes none. docs/service.md, Operations. */
export const ASSUMED_PATHS = {
  "whatsapp-media": "/messaging/whatsapp/send_media",
  "whatsapp-template": "/messaging/whatsapp/send_template",
  rcs: "/messaging/rcs/send",
  "media-upload": "/messaging/media",
} as const;
