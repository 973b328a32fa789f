import { SAMPLE_MEDIA_ID } from "../../../simulator/index";
import { APPLICATION_ID } from "../../../simulator/sign-in/credentials";

/** Fields of a request; undefined leaves a field out. */
export type SentFields = Readonly<Record<string, unknown>>;

interface Sender {
  readonly path: string;
  /** null for the legacy credentials. */
  readonly scope: string | null;
  readonly channel: "sms" | "whatsapp" | "rcs";
  /** Fields of a valid request. */
  readonly good: SentFields;
  readonly codes: readonly number[];
}

const LEGACY_CODES = [
  2000, 2001, 4001, 4002, 4003, 4004, 4008, 4009, 4013, 4014, 4015, 4016, 4019, 4021, 4022, 4023, 4025, 4026,
  4027, 4031, 4032, 4033, 4034, 4035, 4040, 4041, 5000, 5003,
];
const OAUTH_CODES = [2000, 4001, 4002, 4008, 4013, 4014, 4023, 4028, 4029, 4031, 5000, 5003];
const LEGACY = {
  scope: null,
  channel: "sms",
  good: { recipientAddressList: ["41790000000"], messageContent: "Hello" },
  codes: LEGACY_CODES,
} as const;
const TO = { applicationId: APPLICATION_ID, recipient: "+999555000001" };
const WHATSAPP = { scope: "messaging:whatsapp", channel: "whatsapp" } as const;

/** All endpoints that send messages in a body. */
export const SENDERS = {
  "sms-form": {
    ...LEGACY,
    path: "/rest/smsmessaging/simple",
    good: { recipientAddressList: "41790000000", messageContent: "Hello" },
  },
  "sms-json": { ...LEGACY, path: "/rest/smsmessaging/text" },
  "whatsapp-broadcast": { ...LEGACY, path: "/converged/whatsapp", channel: "whatsapp" },
  "whatsapp-text": {
    ...WHATSAPP,
    path: "/messaging/whatsapp/send_text",
    good: { ...TO, content: "Hello" },
    codes: [...OAUTH_CODES, 4009, 4400],
  },
  "whatsapp-media": {
    ...WHATSAPP,
    path: "/messaging/whatsapp/send_media",
    good: { ...TO, mediaId: SAMPLE_MEDIA_ID },
    codes: [...OAUTH_CODES, 4034],
  },
  "whatsapp-template": {
    ...WHATSAPP,
    path: "/messaging/whatsapp/send_template",
    good: { ...TO, templateName: "welcome", templateLocale: "de" },
    codes: [...OAUTH_CODES, 4401],
  },
  rcs: {
    path: "/messaging/rcs/send",
    scope: "messaging:rcs",
    channel: "rcs",
    good: {
      ...TO,
      rcsPayload: { RCSMessage: { textMessage: "Hello" }, messageContact: { userContact: "+41790000000" } },
    },
    codes: OAUTH_CODES,
  },
} as const satisfies Readonly<Record<string, Sender>>;

export type SenderId = keyof typeof SENDERS;

/** The senders with one recipient and a bearer token. */
export const OAUTH_SENDERS = ["whatsapp-text", "whatsapp-media", "whatsapp-template", "rcs"] as const;
