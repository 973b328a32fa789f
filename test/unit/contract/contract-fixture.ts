/**
 * The service's contract as data, typed by hand from its description and from nothing in this package, so that a
 * slip in the library's own tables cannot hide here too. It imports nothing; keep it so.
 *
 * `assumed` marks what the description does not show and a default stands for.
 */

export type Outcome = "sent" | "queued" | "rejected" | "denied" | "retry-later" | "unknown";

// ---------------------------------------------------------------------------------------------------------------
// Result codes, legacy style

export type LegacyList = "general" | "sms" | "whatsapp";

export interface LegacyCodeFact {
  readonly code: number;
  readonly name: string;
  /** Words the meaning must mention, in lower case; compare without regard to case. */
  readonly keywords: readonly string[];
  /** Which of the three lists of codes name it. */
  readonly lists: readonly LegacyList[];
  readonly outcome: Outcome;
}

const EVERYWHERE = ["general", "sms", "whatsapp"] as const;

export const legacyCodes: readonly LegacyCodeFact[] = [
  { code: 2000, name: "OK", keywords: ["accepted", "sent"], lists: EVERYWHERE, outcome: "sent" },
  { code: 2001, name: "OK_QUEUED", keywords: ["accepted", "queued"], lists: EVERYWHERE, outcome: "queued" },
  {
    code: 4001,
    name: "INVALID_CREDENTIALS",
    keywords: ["credentials", "inactive"],
    lists: EVERYWHERE,
    outcome: "denied",
  },
  { code: 4002, name: "INVALID_RECIPIENT", keywords: ["recipient"], lists: EVERYWHERE, outcome: "rejected" },
  { code: 4003, name: "INVALID_SENDER", keywords: ["sender"], lists: EVERYWHERE, outcome: "rejected" },
  {
    code: 4004,
    name: "INVALID_MESSAGE_TYPE",
    keywords: ["messagetype"],
    lists: EVERYWHERE,
    outcome: "rejected",
  },
  {
    code: 4008,
    name: "INVALID_MESSAGE_ID",
    keywords: ["clientmessageid"],
    lists: EVERYWHERE,
    outcome: "rejected",
  },
  { code: 4009, name: "INVALID_TEXT", keywords: ["messagecontent"], lists: EVERYWHERE, outcome: "rejected" },
  { code: 4013, name: "MSG_LIMIT_EXCEEDED", keywords: ["limit"], lists: EVERYWHERE, outcome: "retry-later" },
  { code: 4014, name: "UNAUTHORIZED_IP", keywords: ["ip address"], lists: EVERYWHERE, outcome: "denied" },
  {
    code: 4015,
    name: "INVALID_MESSAGE_PRIORITY",
    keywords: ["priority"],
    lists: EVERYWHERE,
    outcome: "rejected",
  },
  {
    code: 4016,
    name: "INVALID_COD_RETURNADDRES",
    keywords: ["notificationcallbackurl"],
    lists: EVERYWHERE,
    outcome: "rejected",
  },
  { code: 4019, name: "PARAMETER_MISSING", keywords: ["parameter"], lists: EVERYWHERE, outcome: "rejected" },
  { code: 4021, name: "INVALID_ACCOUNT", keywords: ["account"], lists: EVERYWHERE, outcome: "denied" },
  { code: 4022, name: "ACCESS_DENIED", keywords: ["access"], lists: EVERYWHERE, outcome: "denied" },
  {
    code: 4023,
    name: "THROTTLING_SPAMMING_IP",
    keywords: ["limit", "ip address"],
    lists: EVERYWHERE,
    outcome: "retry-later",
  },
  {
    code: 4025,
    name: "THROTTLING_TOO_MANY_RECIPIENTS",
    keywords: ["recipients"],
    lists: EVERYWHERE,
    outcome: "rejected",
  },
  {
    code: 4026,
    name: "MAX_SMS_PER_MESSAGE_EXCEEDED",
    keywords: ["segments"],
    lists: EVERYWHERE,
    outcome: "rejected",
  },
  {
    code: 4027,
    name: "INVALID_MESSAGE_SEGMENT",
    keywords: ["segment"],
    lists: ["general"],
    outcome: "rejected",
  },
  {
    code: 4031,
    name: "RECIPIENTS_BLACKLISTED",
    keywords: ["all", "blacklist"],
    lists: EVERYWHERE,
    outcome: "rejected",
  },
  {
    code: 4032,
    name: "NO_DEVICE_ENABLED",
    keywords: ["whatsapp", "device"],
    lists: ["general", "whatsapp"],
    outcome: "rejected",
  },
  {
    code: 4033,
    name: "WHATSAPP_DISABLED",
    keywords: ["whatsapp"],
    lists: ["general", "whatsapp"],
    outcome: "denied",
  },
  {
    code: 4034,
    name: "INVALID_ATTACHMENT",
    keywords: ["attachment"],
    lists: ["general", "whatsapp"],
    outcome: "rejected",
  },
  { code: 4035, name: "SMS_DISABLED", keywords: ["sms"], lists: ["general", "sms"], outcome: "denied" },
  {
    code: 4040,
    name: "INVALID_CONTENT_CATEGORY",
    keywords: ["contentcategory"],
    lists: EVERYWHERE,
    outcome: "rejected",
  },
  {
    code: 4041,
    name: "INVALID_VALIDITY_PERIODE",
    keywords: ["validityperiode"],
    lists: EVERYWHERE,
    outcome: "rejected",
  },
  { code: 5000, name: "INTERNAL_ERROR", keywords: ["internal"], lists: EVERYWHERE, outcome: "unknown" },
  {
    code: 5003,
    name: "SERVICE_UNAVAILABLE",
    keywords: ["unavailable"],
    lists: EVERYWHERE,
    outcome: "retry-later",
  },
];

// ---------------------------------------------------------------------------------------------------------------
// Result codes, OAuth style

export type OauthKind = "text" | "media" | "template";

export interface OauthCodeFact {
  readonly code: number;
  readonly name: string;
  readonly keywords: readonly string[];
  /** Where the meaning depends on the kind of message: the words it must mention for each. */
  readonly keywordsByKind?: Readonly<Record<OauthKind, readonly string[]>>;
  /** The kinds of message whose table names it. */
  readonly listedFor: readonly OauthKind[];
  readonly outcome: Outcome;
  /** In no table: only the example of an error answer shows it (content missing, HTTP 400), without a name. */
  readonly onlyInErrorExample?: true;
  /** In no table either: taken for what it is in the legacy style, where a transferId comes with it. */
  readonly assumed?: true;
}

const ALL_KINDS = ["text", "media", "template"] as const;

export const oauthCodes: readonly OauthCodeFact[] = [
  { code: 2000, name: "OK", keywords: ["accepted"], listedFor: ALL_KINDS, outcome: "sent" },
  {
    code: 2001,
    name: "OK_QUEUED",
    keywords: ["accepted", "queued"],
    listedFor: [],
    outcome: "queued",
    assumed: true,
  },
  {
    code: 4001,
    name: "INVALID_APPLICATION",
    keywords: ["application"],
    listedFor: ALL_KINDS,
    outcome: "denied",
  },
  {
    code: 4002,
    name: "INVALID_RECIPIENT",
    keywords: ["recipient"],
    listedFor: ALL_KINDS,
    outcome: "rejected",
  },
  {
    code: 4008,
    name: "INVALID_MESSAGE_ID",
    keywords: ["clientmessageid"],
    listedFor: ALL_KINDS,
    outcome: "rejected",
  },
  {
    // The name is the one that the legacy lists give this number; nothing else names it.
    code: 4009,
    name: "INVALID_TEXT",
    keywords: ["content"],
    listedFor: [],
    outcome: "rejected",
    onlyInErrorExample: true,
  },
  {
    code: 4013,
    name: "MSG_LIMIT_EXCEEDED",
    keywords: ["account", "limit"],
    listedFor: ALL_KINDS,
    outcome: "retry-later",
  },
  { code: 4014, name: "UNAUTHORIZED_IP", keywords: ["ip address"], listedFor: ALL_KINDS, outcome: "denied" },
  {
    code: 4023,
    name: "THROTTLING_SPAMMING_IP",
    keywords: ["limit", "ip address"],
    listedFor: ALL_KINDS,
    outcome: "retry-later",
  },
  {
    code: 4028,
    name: "INVALID_CONTENT",
    keywords: [],
    keywordsByKind: { text: ["text"], media: ["description"], template: ["template", "name", "locale"] },
    listedFor: ALL_KINDS,
    outcome: "rejected",
  },
  {
    code: 4029,
    name: "RECIPIENTS_NOT_ALLOWED",
    keywords: ["recipient", "allowed"],
    listedFor: ALL_KINDS,
    outcome: "rejected",
  },
  {
    code: 4031,
    name: "RECIPIENTS_BLACKLISTED",
    keywords: ["all", "blacklist"],
    listedFor: ALL_KINDS,
    outcome: "rejected",
  },
  { code: 4034, name: "INVALID_MEDIA", keywords: ["media"], listedFor: ["media"], outcome: "rejected" },
  {
    code: 4400,
    name: "SESSION_EXPIRED",
    keywords: ["session", "expired"],
    listedFor: ["text"],
    outcome: "rejected",
  },
  {
    code: 4401,
    name: "INVALID_LOCALIZABLE_PARAMS",
    keywords: ["4096", "1024", "default"],
    listedFor: ["template"],
    outcome: "rejected",
  },
  { code: 5000, name: "INTERNAL_ERROR", keywords: ["internal"], listedFor: ALL_KINDS, outcome: "unknown" },
  {
    code: 5003,
    name: "SERVICE_UNAVAILABLE",
    keywords: ["unavailable"],
    listedFor: ALL_KINDS,
    outcome: "retry-later",
  },
];

// ---------------------------------------------------------------------------------------------------------------
// Answers without a readable result code

export const bareHttp: readonly { readonly status: number; readonly outcome: Outcome }[] = [
  { status: 300, outcome: "denied" },
  { status: 301, outcome: "denied" },
  { status: 302, outcome: "denied" },
  { status: 303, outcome: "denied" },
  { status: 304, outcome: "denied" },
  { status: 305, outcome: "denied" },
  { status: 306, outcome: "denied" },
  { status: 307, outcome: "denied" },
  { status: 308, outcome: "denied" },
  { status: 400, outcome: "rejected" },
  { status: 401, outcome: "denied" },
  { status: 403, outcome: "denied" },
  { status: 404, outcome: "denied" },
  { status: 405, outcome: "denied" },
  { status: 407, outcome: "denied" },
  { status: 408, outcome: "unknown" },
  { status: 409, outcome: "unknown" },
  { status: 429, outcome: "retry-later" },
  { status: 500, outcome: "unknown" },
  { status: 502, outcome: "unknown" },
  { status: 503, outcome: "unknown" },
  { status: 504, outcome: "unknown" },
];

/** Codes and bare HTTP statuses that say "not sent, may succeed soon": requests with them are sent again. */
export const retried = { codes: [4023, 5003], bareHttp: [429] } as const;

/** Those of them that count all requests of the IP address, so that all requests to the service pause. */
export const throttling = { codes: [4023], bareHttp: [429] } as const;

/** What an account's choice "a bare 503 means not accepted" turns that status into. */
export const bare503WhenNotAccepted: Outcome = "retry-later";

// ---------------------------------------------------------------------------------------------------------------
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
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Of a number, both included. */
  readonly min?: number;
  readonly max?: number;
  readonly unit?: "seconds";
  /** Entries of a list. */
  readonly maxEntries?: number;
  /** The only values there are. */
  readonly values?: readonly string[];
  readonly default?: string | number | boolean;
  readonly charset?: "latin1" | "utf-8";
  /** An object's keys: these and no others, all of them mandatory. */
  readonly keys?: readonly string[];
  /** Of each value in a list of objects. */
  readonly maxValueLength?: number;
  readonly newlinesAllowed?: false;
  /** Account settings decide the upper end, so that only the service can tell. */
  readonly maxFromAccount?: true;
}

export interface FieldFact {
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly limits: FieldLimits;
  /** Part of the path instead of the body or query. */
  readonly inPath?: true;
}

export type AssumedFact =
  | "authentication"
  | "method"
  | "path"
  | "request-encoding"
  | "answer-encoding"
  | "scope"
  | "fields"
  | "recipient-field"
  /** How several recipients are written into one form or query value. */
  | "list-notation";

export interface OperationFact {
  readonly id: OperationId;
  readonly style: "legacy" | "oauth";
  /** What proves who is asking. */
  readonly authentication: "legacy" | "bearer" | "client-basic";
  readonly base: "service" | "token-service";
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly requestEncoding: "form-latin1" | "query-latin1" | "json" | "multipart" | "form" | "none";
  readonly answerEncoding: "form" | "json" | "binary";
  readonly scope: string | null;
  readonly recipients: { readonly field: string; readonly count: "list" | "single" } | null;
  readonly fields: readonly FieldFact[];
  /** A read may be repeated freely; uploads are sends. A token request is neither. */
  readonly effect: "send" | "read" | "token";
  readonly assumed: readonly AssumedFact[];
}

const SMS_OPTIONAL_FIELDS: readonly FieldFact[] = [
  { name: "clientMessageId", type: "string", required: false, limits: {} },
  {
    name: "contentCategory",
    type: "string",
    required: false,
    limits: { values: ["informational", "advertisement"] },
  },
  { name: "maxSmsPerMessage", type: "integer", required: false, limits: { default: 0 } },
  { name: "messageType", type: "string", required: false, limits: { values: ["default", "voice"] } },
  { name: "notificationCallbackUrl", type: "url", required: false, limits: {} },
  { name: "priority", type: "integer", required: false, limits: { maxFromAccount: true } },
  { name: "sendAsFlashSms", type: "boolean", required: false, limits: { default: false } },
  { name: "senderAddress", type: "string", required: false, limits: {} },
  {
    name: "senderAddressType",
    type: "string",
    required: false,
    limits: { values: ["national", "international", "alphanumeric", "shortcode"] },
  },
  { name: "test", type: "boolean", required: false, limits: { default: false } },
  {
    name: "validityPeriode",
    type: "integer",
    required: false,
    limits: { min: 60, max: 259_200, unit: "seconds" },
  },
];

const SMS_FIELDS_LATIN1: readonly FieldFact[] = [
  { name: "recipientAddressList", type: "msisdn-list", required: true, limits: { maxEntries: 1000 } },
  { name: "messageContent", type: "string", required: true, limits: { charset: "latin1" } },
  ...SMS_OPTIONAL_FIELDS,
];

const SMS_FIELDS_UTF8: readonly FieldFact[] = [
  { name: "recipientAddressList", type: "msisdn-list", required: true, limits: { maxEntries: 1000 } },
  { name: "messageContent", type: "string", required: true, limits: { charset: "utf-8" } },
  ...SMS_OPTIONAL_FIELDS,
];

export const operations: readonly OperationFact[] = [
  {
    id: "sms-form",
    style: "legacy",
    authentication: "legacy",
    base: "service",
    method: "POST",
    path: "/rest/smsmessaging/simple",
    requestEncoding: "form-latin1",
    answerEncoding: "form",
    scope: null,
    recipients: { field: "recipientAddressList", count: "list" },
    fields: SMS_FIELDS_LATIN1,
    effect: "send",
    assumed: ["answer-encoding", "list-notation"],
  },
  {
    id: "sms-get",
    style: "legacy",
    authentication: "legacy",
    base: "service",
    method: "GET",
    path: "/rest/smsmessaging/simple",
    requestEncoding: "query-latin1",
    answerEncoding: "form",
    scope: null,
    recipients: { field: "recipientAddressList", count: "list" },
    fields: SMS_FIELDS_LATIN1,
    effect: "send",
    assumed: ["request-encoding", "answer-encoding", "fields", "recipient-field", "list-notation"],
  },
  {
    id: "sms-json",
    style: "legacy",
    authentication: "legacy",
    base: "service",
    method: "POST",
    path: "/rest/smsmessaging/text",
    requestEncoding: "json",
    answerEncoding: "json",
    scope: null,
    recipients: { field: "recipientAddressList", count: "list" },
    fields: SMS_FIELDS_UTF8,
    effect: "send",
    assumed: ["fields", "recipient-field"],
  },
  {
    id: "whatsapp-broadcast",
    style: "legacy",
    authentication: "legacy",
    base: "service",
    method: "POST",
    path: "/converged/whatsapp",
    requestEncoding: "json",
    answerEncoding: "json",
    scope: null,
    recipients: { field: "recipientAddressList", count: "list" },
    fields: [
      {
        name: "messageContent",
        type: "string",
        required: true,
        limits: { maxLength: 10_000, charset: "utf-8" },
      },
      { name: "recipientAddressList", type: "msisdn-list", required: true, limits: { maxEntries: 1000 } },
      {
        name: "contentCategory",
        type: "string",
        required: false,
        limits: { values: ["informational", "advertisement"] },
      },
      { name: "clientMessageId", type: "string", required: false, limits: {} },
      { name: "priority", type: "integer", required: false, limits: { maxFromAccount: true } },
      { name: "test", type: "boolean", required: false, limits: { default: false } },
      { name: "attachmentId", type: "integer", required: false, limits: {} },
      {
        name: "validityPeriode",
        type: "integer",
        required: false,
        limits: { min: 60, max: 259_200, unit: "seconds" },
      },
    ],
    effect: "send",
    // The path is printed like this, although legacy paths are said to begin with /rest/.
    assumed: [],
  },
  {
    id: "attachment-create",
    style: "legacy",
    authentication: "legacy",
    base: "service",
    method: "POST",
    path: "/whatsapp/attachment",
    requestEncoding: "multipart",
    answerEncoding: "json",
    scope: null,
    recipients: null,
    fields: [{ name: "file", type: "file", required: true, limits: {} }],
    effect: "send",
    assumed: ["authentication", "request-encoding", "answer-encoding", "fields"],
  },
  {
    id: "whatsapp-text",
    style: "oauth",
    authentication: "bearer",
    base: "service",
    method: "POST",
    path: "/messaging/whatsapp/send_text",
    requestEncoding: "json",
    answerEncoding: "json",
    scope: "messaging:whatsapp",
    recipients: { field: "recipient", count: "single" },
    fields: [
      { name: "applicationId", type: "uuid", required: true, limits: {} },
      { name: "recipient", type: "msisdn", required: true, limits: {} },
      {
        name: "content",
        type: "string",
        required: true,
        limits: { minLength: 1, maxLength: 4096, charset: "utf-8" },
      },
      { name: "clientMessageId", type: "string", required: false, limits: {} },
    ],
    effect: "send",
    assumed: [],
  },
  {
    id: "whatsapp-media",
    style: "oauth",
    authentication: "bearer",
    base: "service",
    method: "POST",
    path: "/messaging/whatsapp/send_media",
    requestEncoding: "json",
    answerEncoding: "json",
    scope: "messaging:whatsapp",
    recipients: { field: "recipient", count: "single" },
    fields: [
      { name: "applicationId", type: "uuid", required: true, limits: {} },
      { name: "recipient", type: "msisdn", required: true, limits: {} },
      { name: "mediaId", type: "uuid", required: true, limits: {} },
      { name: "content", type: "string", required: false, limits: { maxLength: 4096, charset: "utf-8" } },
      { name: "clientMessageId", type: "string", required: false, limits: {} },
    ],
    effect: "send",
    assumed: ["method", "path"],
  },
  {
    id: "whatsapp-template",
    style: "oauth",
    authentication: "bearer",
    base: "service",
    method: "POST",
    path: "/messaging/whatsapp/send_template",
    requestEncoding: "json",
    answerEncoding: "json",
    scope: "messaging:whatsapp",
    recipients: { field: "recipient", count: "single" },
    fields: [
      { name: "applicationId", type: "uuid", required: true, limits: {} },
      { name: "recipient", type: "msisdn", required: true, limits: {} },
      { name: "templateName", type: "string", required: true, limits: { charset: "utf-8" } },
      { name: "templateLocale", type: "string", required: true, limits: { charset: "utf-8" } },
      { name: "clientMessageId", type: "string", required: false, limits: {} },
      {
        name: "localizableParams",
        type: "object-list",
        required: false,
        limits: { keys: ["default"], maxValueLength: 1024, newlinesAllowed: false },
      },
    ],
    effect: "send",
    assumed: ["method", "path"],
  },
  {
    id: "rcs",
    style: "oauth",
    authentication: "bearer",
    base: "service",
    method: "POST",
    path: "/messaging/rcs/send",
    requestEncoding: "json",
    answerEncoding: "json",
    scope: "messaging:rcs",
    recipients: { field: "recipient", count: "single" },
    fields: [
      { name: "applicationId", type: "uuid", required: true, limits: {} },
      { name: "recipient", type: "msisdn", required: true, limits: {} },
      { name: "clientMessageId", type: "string", required: false, limits: {} },
      {
        name: "rcsPayload",
        type: "object",
        required: true,
        limits: { keys: ["RCSMessage", "messageContact"] },
      },
    ],
    effect: "send",
    assumed: ["method", "path", "scope", "fields", "recipient-field"],
  },
  {
    id: "media-upload",
    style: "oauth",
    authentication: "bearer",
    base: "service",
    method: "POST",
    path: "/messaging/media",
    requestEncoding: "multipart",
    answerEncoding: "json",
    scope: "media:create",
    recipients: null,
    fields: [{ name: "file", type: "file", required: true, limits: {} }],
    effect: "send",
    assumed: ["authentication", "method", "path", "request-encoding", "answer-encoding", "scope", "fields"],
  },
  {
    id: "media-download",
    style: "oauth",
    authentication: "bearer",
    base: "service",
    method: "GET",
    path: "/messaging/media/{mediaId}",
    requestEncoding: "none",
    answerEncoding: "binary",
    scope: "media:read",
    recipients: null,
    fields: [{ name: "mediaId", type: "uuid", required: true, limits: {}, inPath: true }],
    effect: "read",
    assumed: ["answer-encoding", "scope"],
  },
  {
    id: "token",
    style: "oauth",
    authentication: "client-basic",
    base: "token-service",
    method: "POST",
    path: "/oauth/token",
    requestEncoding: "form",
    answerEncoding: "json",
    scope: null,
    recipients: null,
    fields: [
      { name: "grant_type", type: "string", required: true, limits: { values: ["client_credentials"] } },
      {
        name: "scope",
        type: "scope-list",
        required: true,
        limits: { values: ["messaging:whatsapp", "messaging:rcs", "media:create", "media:read"] },
      },
    ],
    effect: "token",
    assumed: [],
  },
];

// ---------------------------------------------------------------------------------------------------------------
// Limits

export interface LimitFact {
  readonly what: string;
  readonly appliesTo: readonly OperationId[];
  readonly min?: number;
  readonly max?: number;
  readonly exactly?: number;
  readonly default?: number;
  readonly unit: "recipients" | "characters" | "entries" | "seconds" | "messages" | "level" | "rule";
  /** What the service answers beyond it, where the description says so. */
  readonly code?: number;
  readonly note?: string;
}

const SMS = ["sms-form", "sms-get", "sms-json"] as const;

export const limits: readonly LimitFact[] = [
  {
    what: "recipients",
    appliesTo: [...SMS, "whatsapp-broadcast"],
    max: 1000,
    unit: "recipients",
    code: 4025,
  },
  { what: "messageContent", appliesTo: ["whatsapp-broadcast"], max: 10_000, unit: "characters" },
  { what: "content", appliesTo: ["whatsapp-text"], min: 1, max: 4096, unit: "characters" },
  { what: "content", appliesTo: ["whatsapp-media"], max: 4096, unit: "characters" },
  {
    what: "personalised template content",
    appliesTo: ["whatsapp-template"],
    max: 4096,
    unit: "characters",
    code: 4401,
  },
  {
    what: "placeholder value",
    appliesTo: ["whatsapp-template"],
    max: 1024,
    unit: "characters",
    code: 4401,
    note: "no newlines",
  },
  { what: "localizableParams object", appliesTo: ["whatsapp-template"], exactly: 1, unit: "entries" },
  {
    what: "validityPeriode",
    appliesTo: [...SMS, "whatsapp-broadcast"],
    min: 60,
    max: 259_200,
    unit: "seconds",
    // Named for the minimum only.
    code: 4041,
  },
  {
    what: "maxSmsPerMessage",
    appliesTo: SMS,
    default: 0,
    unit: "messages",
    code: 4026,
    note: "0 is no limit",
  },
  {
    what: "priority",
    appliesTo: [...SMS, "whatsapp-broadcast"],
    unit: "level",
    code: 4015,
    note: "the account's configured value is the maximum",
  },
  {
    what: "access token lifetime",
    appliesTo: ["token"],
    unit: "seconds",
    note: "300 in the example; each answer says its own",
  },
  {
    what: "transport",
    appliesTo: [
      ...SMS,
      "whatsapp-broadcast",
      "attachment-create",
      "whatsapp-text",
      "whatsapp-media",
      "whatsapp-template",
      "rcs",
      "media-upload",
      "media-download",
      "token",
    ],
    unit: "rule",
    note: "HTTPS only",
  },
];
