import { LIMITS } from "../../../lib/shared/fields/limits";
import type { TableWords } from "./table-words";

const number = (value: number): string => value.toLocaleString("en-US");

const MSISDN = `${LIMITS.msisdnDigitsMin} to ${LIMITS.msisdnDigitsMax} digits, the first not 0`;

export const ENGLISH: TableWords = {
  language: "en-US",
  yes: "yes",
  no: "no",

  outcomeHead: [
    "Outcome",
    "Output of 4",
    "Output of 6",
    "Raised as an error if not wired",
    "Is sending again safe?",
  ],
  resend: { no: "no", "after-change": "after a change", yes: "yes", "check-first": "only after checking" },
  meaningHead: ["Meaning", "Outcome", "What to do"],
  code: "Code",
  name: "Name",
  httpStatus: "HTTP status",
  anyOther4xxx: "any other 4xxx",
  anyOther: "any other",
  movedFile: "2xx with the file of a download, or the `mediaId` of an upload",
  bare503: "503, with the account's setting",
  withTransferId: "Only together with a transferId; without one the code counts as not listed.",

  metricHead: ["Metric", "Label", "Meaning"],

  operationHead: ["Operation", "Request", "Path is", "Style", "Authentication", "Scope", "Body", "Answer"],
  pathAssumed: "assumed",
  pathKnown: "known",
  pathPerhapsBelowRest: "known; perhaps below `/rest`",
  style: { legacy: "legacy", oauth: "OAuth" },
  auth: {
    legacy: "Basic or access token",
    bearer: "bearer token",
    client: "client id and secret (Basic)",
  },
  request: {
    "form-latin1": "form, ISO-8859-1",
    "query-latin1": "query, ISO-8859-1",
    json: "JSON",
    multipart: "multipart",
    form: "form",
    none: "none",
  },
  answer: {
    "legacy-form": "form, or JSON",
    json: "JSON",
    upload: "JSON with `mediaId`",
    bytes: "the file",
    token: "JSON with the token",
  },

  fieldHead: ["Field", "Type", "Required", "Rules"],
  fields: {
    recipientAddressList: [
      "list of MSISDNs",
      `1 to ${number(LIMITS.recipientsPerRequest)} numbers: ${MSISDN}, no plus`,
    ],
    recipient: ["MSISDN in E.164 form", `one number with plus: ${MSISDN}`],
    applicationId: ["UUID", "the application that sends"],
    clientMessageId: ["text", "an id that the client chooses; the answer and later events repeat it"],
    "sms-form.messageContent": ["text", "at least 1 character; ISO-8859-1 in forms and links, UTF-8 in JSON"],
    "whatsapp-broadcast.messageContent": [
      "text, UTF-8",
      `1 to ${number(LIMITS.broadcastContent)} characters`,
    ],
    contentCategory: [
      "text",
      "`informational` or `advertisement`: decides which blacklist applies; absent, the account's default",
    ],
    maxSmsPerMessage: [
      "integer",
      "from 0: the highest number of SMS that the text may take, else code 4026; 0, the service's default, sets no limit",
    ],
    messageType: [
      "text",
      "`default`: the account's settings choose; `voice`: the text is read out in a call",
    ],
    notificationCallbackUrl: ["URL", "gets each delivery report of the message"],
    priority: ["integer", "from 0; the highest that is allowed is a setting at the service (code 4015)"],
    sendAsFlashSms: ["boolean", "`true`: the text opens on the screen at once; default `false`"],
    senderAddress: ["text", "a sender that belongs to the account"],
    senderAddressType: ["text", "`national`, `international`, `alphanumeric` or `shortcode`"],
    test: [
      "boolean",
      "`true`: the service checks, sends nothing, and answers 2000 or 2001 by the number of recipients; default `false`",
    ],
    validityPeriode: [
      "integer, seconds",
      `${number(LIMITS.validityPeriodeMin)} to ${number(LIMITS.validityPeriodeMax)}: how long delivery is tried`,
    ],
    attachmentId: ["integer", "from 0; the attachment upload returns it"],
    "whatsapp-text.content": ["text, UTF-8", `1 to ${number(LIMITS.textContent)} characters`],
    "whatsapp-media.content": [
      "text, UTF-8",
      `the description of the file, up to ${number(LIMITS.mediaDescription)} characters`,
    ],
    mediaId: ["UUID", "a file at the service: the id of an upload or of an inbound message"],
    templateName: ["text, UTF-8", "the approved template; at least 1 character"],
    templateLocale: ["text, UTF-8", "its language, usually written `de` or `en_US`; any text is passed on"],
    localizableParams: [
      "list of objects",
      `one \`{"default": "value"}\` for each placeholder, in order, with no other key. A value has 1 to ` +
        `${number(LIMITS.placeholderValue)} characters and no line break; all values together have at most ` +
        `${number(LIMITS.templateContent)} characters`,
    ],
    rcsPayload: ["object", "`RCSMessage` and `messageContact`: [RCS messages](#rcs-messages)"],
    file: ["part of a multipart body", "the bytes, with a file name and a media type"],
    grant_type: ["text", "`client_credentials`"],
    scope: ["text", "the scopes asked for, with spaces between; this package asks for one at a time"],
  },

  limitHead: ["What", "Limit"],
  limits: {
    recipientsPerRequest: ["Recipients of one SMS or broadcast request; more is code 4025", "numbers"],
    broadcastContent: ["Text of a WhatsApp broadcast", "characters"],
    textContent: ["WhatsApp text", "characters"],
    mediaDescription: ["Description of a WhatsApp media file", "characters"],
    templateContent: ["WhatsApp template with its values filled in; more is code 4401", "characters"],
    placeholderValue: ["One value of a template; more is code 4401", "characters"],
    validityPeriodeMin: ["Shortest `validityPeriode`", "seconds"],
    validityPeriodeMax: ["Longest `validityPeriode`", "seconds (3 days)"],
    msisdnDigitsMin: ["Shortest number, country code included", "digits"],
    msisdnDigitsMax: ["Longest number, country code included", "digits"],
  },
  rcsLimits: {
    text: ["`textMessage`", "characters"],
    label: ["`label` of a position", "characters"],
    title: ["`title` of a card", "characters"],
    description: ["`description` of a card", "characters"],
    contentDescription: ["`contentDescription` of a card's media", "characters"],
    displayText: ["`displayText` of a suggestion", "characters"],
    postbackData: ["`data` of a `postback`", "characters"],
    chips: ["Suggestions below a message", "entries"],
    cardSuggestions: ["Suggestions of one card", "entries"],
    cardsMin: ["Fewest cards of a carousel", "entries"],
    cardsMax: ["Most cards of a carousel", "entries"],
  },

  lists: {
    general: "General",
    sms: "SMS",
    whatsapp: "Broadcast",
    text: "Text",
    media: "Media",
    template: "Template",
  },

  segmentHead: ["Alphabet", "A single SMS", "Each SMS of a longer text"],
  alphabets: { gsm: ["GSM 03.38 default alphabet", "septets"], ucs2: ["UCS-2", "UTF-16 units"] },

  rcsWordHead: ["Field", "Values"],
  heightOfMedia: "`height` of media",
  typeOfRecording: "`type` of a recording",
};
