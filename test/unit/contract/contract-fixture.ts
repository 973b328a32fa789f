/**
 * The service's contract as data, typed by hand from its description and from nothing in this package, so that a
 * slip in the library's own tables cannot hide here too. It imports nothing; keep it so.
 */

export type Outcome = "sent" | "queued" | "rejected" | "denied" | "retry-later" | "unknown";

// Result codes, legacy style
/** A result code, with which of the description's lists name it. */
export interface CodeFact<List extends string> {
  readonly code: number;
  readonly name: string;
  readonly outcome: Outcome;
  readonly lists: readonly List[];
}

/** Without lists it is in all. */
type CodeRow<List> = readonly [code: number, name: string, outcome: Outcome, lists?: readonly List[]];

const codeFacts = <List extends string>(
  rows: readonly CodeRow<List>[],
  all: readonly List[],
): readonly CodeFact<List>[] =>
  rows.map(([code, name, outcome, lists = all]) => ({ code, name, outcome, lists }));

const LEGACY_ROWS: readonly CodeRow<"general" | "sms" | "whatsapp">[] = [
  [2000, "OK", "sent"],
  [2001, "OK_QUEUED", "queued"],
  [4001, "INVALID_CREDENTIALS", "denied"],
  [4002, "INVALID_RECIPIENT", "rejected"],
  [4003, "INVALID_SENDER", "rejected"],
  [4004, "INVALID_MESSAGE_TYPE", "rejected"],
  [4008, "INVALID_MESSAGE_ID", "rejected"],
  [4009, "INVALID_TEXT", "rejected"],
  [4013, "MSG_LIMIT_EXCEEDED", "retry-later"],
  [4014, "UNAUTHORIZED_IP", "denied"],
  [4015, "INVALID_MESSAGE_PRIORITY", "rejected"],
  [4016, "INVALID_COD_RETURNADDRES", "rejected"],
  [4019, "PARAMETER_MISSING", "rejected"],
  [4021, "INVALID_ACCOUNT", "denied"],
  [4022, "ACCESS_DENIED", "denied"],
  [4023, "THROTTLING_SPAMMING_IP", "retry-later"],
  [4025, "THROTTLING_TOO_MANY_RECIPIENTS", "rejected"],
  [4026, "MAX_SMS_PER_MESSAGE_EXCEEDED", "rejected"],
  [4027, "INVALID_MESSAGE_SEGMENT", "rejected", ["general"]],
  [4031, "RECIPIENTS_BLACKLISTED", "rejected"],
  [4032, "NO_DEVICE_ENABLED", "rejected", ["general", "whatsapp"]],
  [4033, "WHATSAPP_DISABLED", "denied", ["general", "whatsapp"]],
  [4034, "INVALID_ATTACHMENT", "rejected", ["general", "whatsapp"]],
  [4035, "SMS_DISABLED", "denied", ["general", "sms"]],
  [4040, "INVALID_CONTENT_CATEGORY", "rejected"],
  [4041, "INVALID_VALIDITY_PERIODE", "rejected"],
  [5000, "INTERNAL_ERROR", "unknown"],
  [5003, "SERVICE_UNAVAILABLE", "retry-later"],
];

export const legacyCodes = codeFacts(LEGACY_ROWS, ["general", "sms", "whatsapp"]);

// Result codes, OAuth style
export type OauthKind = "text" | "media" | "template";

const OAUTH_ROWS: readonly CodeRow<OauthKind>[] = [
  [2000, "OK", "sent"],
  // In no table: taken for what it is in the legacy style, where a transferId comes with it.
  [2001, "OK_QUEUED", "queued", []],
  [4001, "INVALID_APPLICATION", "denied"],
  [4002, "INVALID_RECIPIENT", "rejected"],
  [4008, "INVALID_MESSAGE_ID", "rejected"],
  // In no table: only the example of an error answer shows it, without a name, so it has the legacy one.
  [4009, "INVALID_TEXT", "rejected", []],
  [4013, "MSG_LIMIT_EXCEEDED", "retry-later"],
  [4014, "UNAUTHORIZED_IP", "denied"],
  [4023, "THROTTLING_SPAMMING_IP", "retry-later"],
  [4028, "INVALID_CONTENT", "rejected"],
  [4029, "RECIPIENTS_NOT_ALLOWED", "rejected"],
  [4031, "RECIPIENTS_BLACKLISTED", "rejected"],
  [4034, "INVALID_MEDIA", "rejected", ["media"]],
  [4400, "SESSION_EXPIRED", "rejected", ["text"]],
  [4401, "INVALID_LOCALIZABLE_PARAMS", "rejected", ["template"]],
  [5000, "INTERNAL_ERROR", "unknown"],
  [5003, "SERVICE_UNAVAILABLE", "retry-later"],
];

export const oauthCodes = codeFacts(OAUTH_ROWS, ["text", "media", "template"]);

// Answers without a readable result code
const STATUSES: Readonly<Partial<Record<Outcome, readonly number[]>>> = {
  denied: [300, 301, 302, 303, 304, 305, 306, 307, 308, 401, 403, 404, 405, 407],
  rejected: [400],
  unknown: [408, 409, 500, 502, 503, 504],
  "retry-later": [429],
};

export const bareHttp: readonly { readonly status: number; readonly outcome: Outcome }[] = Object.entries(
  STATUSES,
).flatMap(([outcome, statuses]) => statuses.map((status) => ({ status, outcome: outcome as Outcome })));

/** Codes and bare HTTP statuses that say "not sent, may succeed soon": requests with them are sent again. */
export const retried = { codes: [4023, 5003], bareHttp: [429] } as const;

/** Those of them that count all requests of the IP address, so that all requests to the service pause. */
export const throttling = { codes: [4023], bareHttp: [429] } as const;

/** What an account's choice "a bare 503 means not accepted" turns that status into. */
export const bare503WhenNotAccepted: Outcome = "retry-later";

// Operations
export type OperationId =
  | "sms-form"
  | "sms-get"
  | "sms-json"
  | "whatsapp-broadcast"
  | "attachment-create"
  | "whatsapp-text"
  | "whatsapp-media"
  | "whatsapp-template"
  | "rcs"
  | "media-upload"
  | "media-download"
  | "token";

export type FieldType =
  | "string"
  | "uuid"
  | "msisdn"
  | "msisdn-list"
  | "url"
  | "integer"
  | "boolean"
  | "object"
  | "object-list"
  | "scope-list"
  | "file";

export interface FieldLimits {
  /** Characters of a text. */
  readonly maxLength?: number;
  /** Of a number, both included. */
  readonly min?: number;
  readonly max?: number;
  readonly unit?: "seconds";
  /** Entries of a list. */
  readonly maxEntries?: number;
  /** The only values there are. */
  readonly values?: readonly string[];
  /** An object's keys: these and no others, all of them mandatory. */
  readonly keys?: readonly string[];
  /** Characters of each value in a list of objects. */
  readonly maxValueLength?: number;
}

export interface FieldFact {
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly limits: FieldLimits;
}

export interface OperationFact {
  readonly id: OperationId;
  readonly style: "legacy" | "oauth";
  /** What proves who is asking. */
  readonly authentication: "legacy" | "bearer" | "client-basic";
  readonly method: "GET" | "POST";
  readonly path: string;
  /** The description does not show the path; a default stands for it. */
  readonly pathAssumed?: true;
  readonly requestEncoding: "form-latin1" | "query-latin1" | "json" | "multipart" | "form" | "none";
  readonly answerEncoding: "form" | "json" | "binary";
  readonly scope: string | null;
  readonly recipients: { readonly field: string; readonly count: "list" | "single" } | null;
  readonly fields: readonly FieldFact[];
  /** A read may be repeated freely; uploads are sends. A token request is neither. */
  readonly effect: "send" | "read" | "token";
}

const required = (name: string, type: FieldType, limits: FieldLimits = {}): FieldFact => ({
  name,
  type,
  required: true,
  limits,
});
const optional = (name: string, type: FieldType, limits: FieldLimits = {}): FieldFact => ({
  ...required(name, type, limits),
  required: false,
});

const FILE = [required("file", "file")];
const CLIENT_MESSAGE_ID = optional("clientMessageId", "string");

const TO_MANY: readonly FieldFact[] = [
  required("recipientAddressList", "msisdn-list", { maxEntries: 1000 }),
  CLIENT_MESSAGE_ID,
  optional("contentCategory", "string", { values: ["informational", "advertisement"] }),
  // Its maximum is a setting of the account, so that only the service can tell.
  optional("priority", "integer"),
  optional("test", "boolean"),
  optional("validityPeriode", "integer", { min: 60, max: 259_200, unit: "seconds" }),
];

const SMS_FIELDS: readonly FieldFact[] = [
  ...TO_MANY,
  required("messageContent", "string"),
  optional("maxSmsPerMessage", "integer"),
  optional("messageType", "string", { values: ["default", "voice"] }),
  optional("notificationCallbackUrl", "url"),
  optional("sendAsFlashSms", "boolean"),
  optional("senderAddress", "string"),
  optional("senderAddressType", "string", {
    values: ["national", "international", "alphanumeric", "shortcode"],
  }),
];

const TO_ONE: readonly FieldFact[] = [
  required("applicationId", "uuid"),
  required("recipient", "msisdn"),
  CLIENT_MESSAGE_ID,
];

const LEGACY = {
  style: "legacy",
  authentication: "legacy",
  method: "POST",
  requestEncoding: "json",
  answerEncoding: "json",
  scope: null,
  recipients: { field: "recipientAddressList", count: "list" },
  effect: "send",
} as const;

const OAUTH = {
  ...LEGACY,
  style: "oauth",
  authentication: "bearer",
  scope: "messaging:whatsapp",
  recipients: { field: "recipient", count: "single" },
} as const;

export const operations: readonly OperationFact[] = [
  {
    ...LEGACY,
    id: "sms-form",
    path: "/rest/smsmessaging/simple",
    requestEncoding: "form-latin1",
    answerEncoding: "form",
    fields: SMS_FIELDS,
  },
  {
    ...LEGACY,
    id: "sms-get",
    method: "GET",
    path: "/rest/smsmessaging/simple",
    requestEncoding: "query-latin1",
    answerEncoding: "form",
    fields: SMS_FIELDS,
  },
  { ...LEGACY, id: "sms-json", path: "/rest/smsmessaging/text", fields: SMS_FIELDS },
  {
    ...LEGACY,
    id: "whatsapp-broadcast",
    // Printed like this, although legacy paths are said to begin with /rest/.
    path: "/converged/whatsapp",
    fields: [
      ...TO_MANY,
      required("messageContent", "string", { maxLength: 10_000 }),
      optional("attachmentId", "integer"),
    ],
  },
  {
    ...LEGACY,
    id: "attachment-create",
    path: "/whatsapp/attachment",
    requestEncoding: "multipart",
    recipients: null,
    fields: FILE,
  },
  {
    ...OAUTH,
    id: "whatsapp-text",
    path: "/messaging/whatsapp/send_text",
    fields: [...TO_ONE, required("content", "string", { maxLength: 4096 })],
  },
  {
    ...OAUTH,
    id: "whatsapp-media",
    path: "/messaging/whatsapp/send_media",
    pathAssumed: true,
    fields: [...TO_ONE, required("mediaId", "uuid"), optional("content", "string", { maxLength: 4096 })],
  },
  {
    ...OAUTH,
    id: "whatsapp-template",
    path: "/messaging/whatsapp/send_template",
    pathAssumed: true,
    fields: [
      ...TO_ONE,
      required("templateName", "string"),
      required("templateLocale", "string"),
      optional("localizableParams", "object-list", { keys: ["default"], maxValueLength: 1024 }),
    ],
  },
  {
    ...OAUTH,
    id: "rcs",
    path: "/messaging/rcs/send",
    pathAssumed: true,
    scope: "messaging:rcs",
    fields: [...TO_ONE, required("rcsPayload", "object", { keys: ["RCSMessage", "messageContact"] })],
  },
  {
    ...OAUTH,
    id: "media-upload",
    path: "/messaging/media",
    pathAssumed: true,
    requestEncoding: "multipart",
    scope: "media:create",
    recipients: null,
    fields: FILE,
  },
  {
    ...OAUTH,
    id: "media-download",
    method: "GET",
    path: "/messaging/media/{mediaId}",
    requestEncoding: "none",
    answerEncoding: "binary",
    scope: "media:read",
    recipients: null,
    fields: [required("mediaId", "uuid")],
    effect: "read",
  },
  {
    ...OAUTH,
    id: "token",
    authentication: "client-basic",
    path: "/oauth/token",
    requestEncoding: "form",
    scope: null,
    recipients: null,
    fields: [
      required("grant_type", "string", { values: ["client_credentials"] }),
      required("scope", "scope-list", {
        values: ["messaging:whatsapp", "messaging:rcs", "media:create", "media:read"],
      }),
    ],
    effect: "token",
  },
];

// Limits
/** Entries, characters and seconds, by the names that the package has for them. */
export const limits = {
  recipientsPerRequest: 1000,
  broadcastContent: 10_000,
  textContent: 4096,
  mediaDescription: 4096,
  /** Of a template with its placeholders filled. */
  templateContent: 4096,
  placeholderValue: 1024,
  validityPeriodeMin: 60,
  validityPeriodeMax: 259_200,
} as const;
