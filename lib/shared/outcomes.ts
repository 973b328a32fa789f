/**
 * The outcomes, and what each status code of the service means. Every part that needs a code's name, outcome, advice,
 * retry or throttle reads it here. HTTP statuses without a code and local faults stand in
 * `lib/gateway/contract/local-outcomes.ts`. docs/service.md, Status codes.
 */

/** The two styles of interface of the service; codes 4001 and 4034 mean different things in them. */
export type Style = "legacy" | "oauth";

/** The outcome of one request. Every request ends with exactly one. */
export type Outcome = "sent" | "queued" | "rejected" | "denied" | "retry-later" | "unknown";

/**
 * Which requests the queue repeats by itself, after a pause that grows with each attempt: none (`never`), only those
 * that change nothing at the service (`reads`), or every request (`back-off`).
 */
export type Retry = "never" | "reads" | "back-off";

/** Which requests pause after such an answer: `none`, or all to the same service address (`origin`). */
export type Throttle = "none" | "origin";

/** The lists of status codes in the service's description. */
export type CodeList = "general" | "sms" | "whatsapp" | "text" | "media" | "template";

/** The kinds of OAuth operation that give 4028 different meanings. */
export type OAuthKind = "text" | "media" | "template" | "rcs";

export interface StatusCode {
  readonly style: Style;
  readonly code: number;
  readonly name: string;
  /** One sentence. */
  readonly meaning: string;
  /** A narrower meaning for a kind of operation. */
  readonly byKind?: Partial<Readonly<Record<OAuthKind, string>>>;
  readonly lists: readonly CodeList[];
  readonly outcome: Outcome;
  readonly retry: Retry;
  readonly throttle: Throttle;
  /** What the user does about it. */
  readonly advice: string;
  /** True for a code that its style does not list: it counts only together with a transferId. */
  readonly withTransferId?: boolean;
}

/** The facts of an outcome: output ports (from 0) and whether sending again is safe. */
export interface OutcomeFacts {
  readonly outcome: Outcome;
  readonly portOf4: number;
  readonly portOf6: number;
  readonly failure: boolean;
  readonly resend: "no" | "after-change" | "yes" | "check-first";
}

export const OUTCOMES: Readonly<Record<Outcome, OutcomeFacts>> = {
  sent: { outcome: "sent", portOf4: 0, portOf6: 0, failure: false, resend: "no" },
  queued: { outcome: "queued", portOf4: 0, portOf6: 1, failure: false, resend: "no" },
  rejected: { outcome: "rejected", portOf4: 1, portOf6: 2, failure: true, resend: "after-change" },
  denied: { outcome: "denied", portOf4: 1, portOf6: 3, failure: true, resend: "after-change" },
  "retry-later": { outcome: "retry-later", portOf4: 2, portOf6: 4, failure: true, resend: "yes" },
  unknown: { outcome: "unknown", portOf4: 3, portOf6: 5, failure: true, resend: "check-first" },
};

const EVERY_LEGACY: readonly CodeList[] = ["general", "sms", "whatsapp"];
const EVERY_OAUTH: readonly CodeList[] = ["text", "media", "template"];

const CHECK_FIRST =
  "It is unknown whether it was sent. Look for a delivery report or a status event with this clientMessageId before sending again.";
const RETRY_SAFE = "It was not sent; sending it again later is safe.";

type Row = readonly [
  code: number,
  name: string,
  lists: readonly CodeList[],
  outcome: Outcome,
  meaning: string,
  advice: string,
  more?: Partial<Pick<StatusCode, "byKind" | "withTransferId" | "retry" | "throttle">>,
];

// Retry and throttle of a code. Codes without them are never retried and throttle nothing.
const RETRY_READS = { retry: "reads" } as const;
const RETRY = { retry: "back-off" } as const;
const RETRY_AND_THROTTLE = { retry: "back-off", throttle: "origin" } as const;

const LEGACY_ROWS: readonly Row[] = [
  [
    2000,
    "OK",
    EVERY_LEGACY,
    "sent",
    "The service accepted the request and sent it on.",
    "Nothing to do. Delivery itself is told by a delivery report.",
  ],
  [
    2001,
    "OK_QUEUED",
    EVERY_LEGACY,
    "queued",
    "The service accepted the request and will send it from its queue.",
    "Nothing to do. Delivery itself is told by a delivery report.",
  ],
  [
    4001,
    "INVALID_CREDENTIALS",
    EVERY_LEGACY,
    "denied",
    "The credentials are wrong, or the account or customer is not active.",
    "Check user name and password, or the access token, in the account; ask the provider whether the account is active.",
  ],
  [
    4002,
    "INVALID_RECIPIENT",
    EVERY_LEGACY,
    "rejected",
    "A recipient is not a valid mobile number.",
    "Correct the numbers: international form, country code first, for example 41791234567.",
  ],
  [
    4003,
    "INVALID_SENDER",
    EVERY_LEGACY,
    "rejected",
    "The sender address or its type is not accepted.",
    "Use a sender address that is assigned to the account, and the type that fits it, or leave both blank.",
  ],
  [
    4004,
    "INVALID_MESSAGE_TYPE",
    EVERY_LEGACY,
    "rejected",
    "The messageType is not known.",
    "Use 'default' or 'voice', or leave it blank.",
  ],
  [
    4008,
    "INVALID_MESSAGE_ID",
    EVERY_LEGACY,
    "rejected",
    "The clientMessageId is not accepted.",
    "Use a shorter id of plain letters, digits and dashes, or leave it blank to have one made.",
  ],
  [
    4009,
    "INVALID_TEXT",
    EVERY_LEGACY,
    "rejected",
    "The message text is not accepted.",
    "Check that the text is not empty and holds no unusual control characters.",
  ],
  [
    4013,
    // Not retried: the limit holds for far longer than a back-off.
    "MSG_LIMIT_EXCEEDED",
    EVERY_LEGACY,
    "retry-later",
    "The account's message limit is used up.",
    `Wait for the next period or ask the provider for a higher limit. ${RETRY_SAFE}`,
  ],
  [
    4014,
    "UNAUTHORIZED_IP",
    EVERY_LEGACY,
    "denied",
    "This computer's public IP address may not use the account.",
    "Have the provider allow the public IP address from which Node-RED reaches the Internet.",
  ],
  [
    4015,
    "INVALID_MESSAGE_PRIORITY",
    EVERY_LEGACY,
    "rejected",
    "The priority is not accepted.",
    "Use a priority not above the one configured for the account (commonly 1 to 9), or leave it blank.",
  ],
  [
    4016,
    "INVALID_COD_RETURNADDRES",
    EVERY_LEGACY,
    "rejected",
    "The notificationCallbackUrl is not accepted.",
    "Use a complete URL that the service can reach from the Internet, starting with https://.",
  ],
  [
    4019,
    "PARAMETER_MISSING",
    EVERY_LEGACY,
    "rejected",
    "A required parameter is missing.",
    "Fill in the parameter that the message names.",
  ],
  [
    4021,
    "INVALID_ACCOUNT",
    EVERY_LEGACY,
    "denied",
    "The account is not valid.",
    "Check the credentials in the account and ask the provider about its state.",
  ],
  [
    4022,
    "ACCESS_DENIED",
    EVERY_LEGACY,
    "denied",
    "The account may not use this interface.",
    "Ask the provider to enable the interface for the account.",
  ],
  [
    4023,
    "THROTTLING_SPAMMING_IP",
    EVERY_LEGACY,
    "retry-later",
    "Too many requests came from this IP address.",
    `Set a lower number of requests per second in the account. ${RETRY_SAFE}`,
    RETRY_AND_THROTTLE,
  ],
  [
    4025,
    "THROTTLING_TOO_MANY_RECIPIENTS",
    EVERY_LEGACY,
    "rejected",
    "One request held more recipients than allowed.",
    "Send to at most 1000 recipients a request; longer lists are split by the node.",
  ],
  [
    4026,
    "MAX_SMS_PER_MESSAGE_EXCEEDED",
    EVERY_LEGACY,
    "rejected",
    "The text needs more SMS than maxSmsPerMessage allows.",
    "Shorten the text, avoid characters such as emoji that make it longer, or raise maxSmsPerMessage.",
  ],
  [
    4027,
    "INVALID_MESSAGE_SEGMENT",
    ["general"],
    "rejected",
    "One segment of the text is not accepted.",
    "Check the text for unusual characters.",
  ],
  [
    4031,
    "RECIPIENTS_BLACKLISTED",
    EVERY_LEGACY,
    "rejected",
    "All recipients are on the blacklist.",
    "Remove these recipients: they do not want such messages. The contentCategory decides which list applies.",
  ],
  [
    4032,
    "NO_DEVICE_ENABLED",
    ["general", "whatsapp"],
    "rejected",
    "No recipient can get WhatsApp: no device or no subscription.",
    "Reach these recipients by another channel, for example SMS.",
  ],
  [
    4033,
    "WHATSAPP_DISABLED",
    ["general", "whatsapp"],
    "denied",
    "The account may not send WhatsApp messages.",
    "Ask the provider to enable WhatsApp for the account.",
  ],
  [
    4034,
    "INVALID_ATTACHMENT",
    ["general", "whatsapp"],
    "rejected",
    "The attachment is not valid.",
    "Create the attachment first and use the attachmentId that it returns.",
  ],
  [
    4035,
    "SMS_DISABLED",
    ["general", "sms"],
    "denied",
    "The account may not send SMS.",
    "Ask the provider to enable SMS for the account.",
  ],
  [
    4040,
    "INVALID_CONTENT_CATEGORY",
    EVERY_LEGACY,
    "rejected",
    "The contentCategory is not known.",
    "Use 'informational' or 'advertisement', or leave it blank.",
  ],
  [
    4041,
    "INVALID_VALIDITY_PERIODE",
    EVERY_LEGACY,
    "rejected",
    "The validityPeriode is out of range.",
    "Use 60 seconds to 259200 seconds (3 days), or leave it blank.",
  ],
  [
    5000,
    "INTERNAL_ERROR",
    EVERY_LEGACY,
    "unknown",
    "The service had an internal error.",
    CHECK_FIRST,
    RETRY_READS,
  ],
  [
    5003,
    "SERVICE_UNAVAILABLE",
    EVERY_LEGACY,
    "retry-later",
    "The service is not available at the moment.",
    RETRY_SAFE,
    RETRY,
  ],
];

const OAUTH_ROWS: readonly Row[] = [
  [
    2000,
    "OK",
    EVERY_OAUTH,
    "sent",
    "The service accepted the request.",
    "Nothing to do. Delivery itself is told by a status event.",
  ],
  [
    2001,
    "OK_QUEUED",
    [],
    "queued",
    "The service accepted the request and will send it from its queue.",
    "Nothing to do. Delivery itself is told by a status event.",
    { withTransferId: true },
  ],
  [
    4001,
    "INVALID_APPLICATION",
    EVERY_OAUTH,
    "denied",
    "The sending application is not valid.",
    "Check the application id in the account or the node: it is a UUID given by the provider.",
  ],
  [
    4002,
    "INVALID_RECIPIENT",
    EVERY_OAUTH,
    "rejected",
    "The recipient is not a valid mobile number.",
    "Correct the number: international form with plus, for example +41791234567.",
  ],
  [
    4008,
    "INVALID_MESSAGE_ID",
    EVERY_OAUTH,
    "rejected",
    "The clientMessageId is not accepted.",
    "Use a shorter id of plain letters, digits and dashes, or leave it blank to have one made.",
  ],
  [4009, "INVALID_TEXT", [], "rejected", "The content is missing.", "Give the message a text."],
  [
    4013,
    // Not retried: the limit holds for far longer than a back-off.
    "MSG_LIMIT_EXCEEDED",
    EVERY_OAUTH,
    "retry-later",
    "The account's message limit is used up.",
    `Wait for the next period or ask the provider for a higher limit. ${RETRY_SAFE}`,
  ],
  [
    4014,
    "UNAUTHORIZED_IP",
    EVERY_OAUTH,
    "denied",
    "This computer's public IP address may not use the account.",
    "Have the provider allow the public IP address from which Node-RED reaches the Internet.",
  ],
  [
    4023,
    "THROTTLING_SPAMMING_IP",
    EVERY_OAUTH,
    "retry-later",
    "Too many requests came from this IP address.",
    `Set a lower number of requests per second in the account. ${RETRY_SAFE}`,
    RETRY_AND_THROTTLE,
  ],
  [
    4028,
    "INVALID_CONTENT",
    EVERY_OAUTH,
    "rejected",
    "The content is not accepted.",
    "Correct what the service names, and send again.",
    {
      byKind: {
        text: "The message text is not accepted.",
        media: "The description of the media file is not accepted.",
        template: "The template's name or locale is not accepted.",
        rcs: "The RCS payload is not accepted.",
      },
    },
  ],
  [
    4029,
    "RECIPIENTS_NOT_ALLOWED",
    EVERY_OAUTH,
    "rejected",
    "The account may not send to this recipient, for example because of its country.",
    "Ask the provider to allow the country, or leave this recipient out.",
  ],
  [
    4031,
    "RECIPIENTS_BLACKLISTED",
    EVERY_OAUTH,
    "rejected",
    "The recipient is on the blacklist.",
    "Remove this recipient: it does not want such messages.",
  ],
  [
    4034,
    "INVALID_MEDIA",
    ["media"],
    "rejected",
    "The media file or its mediaId is not valid.",
    "Upload the file first and use the mediaId that the upload returns.",
  ],
  [
    4400,
    "SESSION_EXPIRED",
    ["text"],
    "rejected",
    "The recipient wrote too long ago: the customer care session has expired.",
    "Send a template message instead; free text is possible again once the recipient has written.",
  ],
  [
    4401,
    "INVALID_LOCALIZABLE_PARAMS",
    ["template"],
    "rejected",
    "The placeholders of the template are not accepted.",
    "Give as many values as the template has placeholders, each of at most 1024 characters without line breaks, and 4096 in all.",
  ],
  [
    5000,
    "INTERNAL_ERROR",
    EVERY_OAUTH,
    "unknown",
    "The service had an internal error.",
    CHECK_FIRST,
    RETRY_READS,
  ],
  [
    5003,
    "SERVICE_UNAVAILABLE",
    EVERY_OAUTH,
    "retry-later",
    "The service is not available at the moment.",
    RETRY_SAFE,
    RETRY,
  ],
];

const toStatusCode =
  (style: Style) =>
  ([code, name, lists, outcome, meaning, advice, more]: Row): StatusCode => ({
    style,
    code,
    name,
    lists,
    outcome,
    meaning,
    advice,
    retry: "never",
    throttle: "none",
    ...more,
  });

/** Every status code that the service lists, of both styles. */
export const STATUS_CODES: readonly StatusCode[] = [
  ...LEGACY_ROWS.map(toStatusCode("legacy")),
  ...OAUTH_ROWS.map(toStatusCode("oauth")),
];

const byStyleAndCode = new Map(STATUS_CODES.map((entry) => [`${entry.style} ${entry.code}`, entry]));

/**
 * @param hasTransferId whether the answer holds a transferId
 * @returns the row of a code in a style; undefined for a code that is not listed
 */
export function findStatusCode(style: Style, code: number, hasTransferId = true): StatusCode | undefined {
  const found = byStyleAndCode.get(`${style} ${code}`);
  return found?.withTransferId && !hasTransferId ? undefined : found;
}
