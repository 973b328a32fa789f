export interface StatusCode {
  readonly code: number;
  readonly name: string;
  readonly text: string;
  readonly httpStatus: number;
}

type Entry = [number, StatusCode];

function legacy(code: number, name: string, text: string, httpStatus = 200): Entry {
  return [code, { code, name, text, httpStatus }];
}

function oauth(code: number, name: string, text: string, httpStatus = 400): Entry {
  return [code, { code, name, text, httpStatus }];
}

export const LEGACY_CODES: ReadonlyMap<number, StatusCode> = new Map([
  legacy(2000, "OK", "OK"),
  legacy(2001, "OK_QUEUED", "OK, queued"),
  legacy(4001, "INVALID_CREDENTIALS", "Credentials are not valid", 401),
  legacy(4002, "INVALID_RECIPIENT", "Invalid recipient"),
  legacy(4003, "INVALID_SENDER", "Invalid sender"),
  legacy(4004, "INVALID_MESSAGE_TYPE", "Invalid message type"),
  legacy(4008, "INVALID_MESSAGE_ID", "Invalid client message id"),
  legacy(4009, "INVALID_TEXT", "Invalid message text"),
  legacy(4013, "MSG_LIMIT_EXCEEDED", "The message limit is used up"),
  legacy(4014, "UNAUTHORIZED_IP", "This IP address may not send"),
  legacy(4015, "INVALID_MESSAGE_PRIORITY", "Invalid priority"),
  legacy(4016, "INVALID_COD_RETURNADDRES", "Invalid callback address"),
  legacy(4019, "PARAMETER_MISSING", "Missing parameter"),
  legacy(4021, "INVALID_ACCOUNT", "Invalid account"),
  legacy(4022, "ACCESS_DENIED", "No access to this interface"),
  legacy(4023, "THROTTLING_SPAMMING_IP", "Too many requests from this IP address"),
  legacy(4025, "THROTTLING_TOO_MANY_RECIPIENTS", "Too many recipients"),
  legacy(4026, "MAX_SMS_PER_MESSAGE_EXCEEDED", "Too many SMS segments"),
  legacy(4027, "INVALID_MESSAGE_SEGMENT", "Invalid message segment"),
  legacy(4031, "RECIPIENTS_BLACKLISTED", "Every recipient is blacklisted"),
  legacy(4032, "NO_DEVICE_ENABLED", "No recipient can be reached on WhatsApp"),
  legacy(4033, "WHATSAPP_DISABLED", "WhatsApp is switched off for this account"),
  legacy(4034, "INVALID_ATTACHMENT", "Invalid attachment"),
  legacy(4035, "SMS_DISABLED", "SMS is switched off for this account"),
  legacy(4040, "INVALID_CONTENT_CATEGORY", "Invalid content category"),
  legacy(4041, "INVALID_VALIDITY_PERIODE", "Invalid validity period"),
  legacy(5000, "INTERNAL_ERROR", "Internal error"),
  legacy(5003, "SERVICE_UNAVAILABLE", "Service unavailable"),
]);

const OAUTH_COMMON: readonly Entry[] = [
  oauth(2000, "OK", "OK", 201),
  oauth(4001, "INVALID_APPLICATION", "Invalid sending application"),
  oauth(4002, "INVALID_RECIPIENT", "Invalid recipient"),
  oauth(4008, "INVALID_MESSAGE_ID", "Invalid client message id"),
  oauth(4013, "MSG_LIMIT_EXCEEDED", "The message limit is used up"),
  oauth(4014, "UNAUTHORIZED_IP", "This IP address may not send"),
  oauth(4023, "THROTTLING_SPAMMING_IP", "Too many requests from this IP address"),
  oauth(4028, "INVALID_CONTENT", "Invalid content"),
  oauth(4029, "RECIPIENTS_NOT_ALLOWED", "Recipient not allowed"),
  oauth(4031, "RECIPIENTS_BLACKLISTED", "Every recipient is blacklisted"),
  oauth(5000, "INTERNAL_ERROR", "Internal error", 500),
  oauth(5003, "SERVICE_UNAVAILABLE", "Service unavailable", 503),
];

const INVALID_MEDIA = oauth(4034, "INVALID_MEDIA", "Invalid media", 404);

/** Status codes of the OAuth endpoints by content. 4001 and 4034 have other meanings than in the legacy codes. */
export const OAUTH_CODES = {
  text: new Map([
    ...OAUTH_COMMON,
    oauth(4009, "INVALID_TEXT", "Invalid message text"),
    oauth(4400, "SESSION_EXPIRED", "The session window is closed"),
  ]),
  media: new Map([...OAUTH_COMMON, INVALID_MEDIA]),
  template: new Map([
    ...OAUTH_COMMON,
    oauth(4401, "INVALID_LOCALIZABLE_PARAMS", "Invalid template parameters"),
  ]),
  rcs: new Map(OAUTH_COMMON),
} as const satisfies Readonly<Record<string, ReadonlyMap<number, StatusCode>>>;
