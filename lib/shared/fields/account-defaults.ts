/** Times in seconds, as users type them. */
export const ACCOUNT_DEFAULTS = {
  service: "simulator",
  serviceAddress: "",
  /** Blank: the service address. */
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
  storeFolder: "",
  storeSchema: "messaging",
  keepDays: 62,
  keepTexts: false,
  snapshotLimit: 256,
  /** `all`, or country codes with commas. */
  allowedCountries: "all",
  /** For SMS and flash SMS. */
  mobileOnly: true,
  noPremiumNumbers: true,
  sendingHours: false,
  sendingDays: "mon,tue,wed,thu,fri",
  /** An end before the start is on the next day. */
  sendingFrom: "08:00",
  sendingTo: "20:00",
  sendingBy: "recipient",
  /** `hold` until the hours begin, or `refuse`. */
  sendingAction: "hold",
  /** Categories that ignore the hours, with commas. */
  sendingExempt: "",
  /** Blank: Node-RED's time zone. */
  timeZone: "",
  limitHour: "",
  limitDay: "",
  limitNumberHour: "",
  limitNumberDay: "",
  /** `hold` until the next hour or day, or `refuse`. */
  limitAction: "hold",
  /** Whether a skipped message without a wire is an error. */
  skippedErrors: false,
  /** `wait` or `fail`, while the service refuses the sign-in. */
  whenRefused: "wait",
  stopSending: false,
} as const;

export interface NumberRange {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

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

export const LIMIT_RANGE: NumberRange = { min: 1, max: 1_000_000_000, whole: true };

export const LIMIT_NAMES = ["limitHour", "limitDay", "limitNumberHour", "limitNumberDay"] as const;

/** The service publishes no paths (docs/service.md, Operations). */
export const ASSUMED_PATHS = {
  "whatsapp-media": "/messaging/whatsapp/send_media",
  "whatsapp-template": "/messaging/whatsapp/send_template",
  rcs: "/messaging/rcs/send",
  "media-upload": "/messaging/media",
} as const;

/** All properties of a new account. */
export const ACCOUNT_VALUES = {
  name: "",
  tls: "",
  proxy: "",
  storeTls: "",
  paths: {},
  ...ACCOUNT_DEFAULTS,
} as const;
