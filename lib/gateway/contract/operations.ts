import type { ZodType } from "zod";
import { ASSUMED_PATHS } from "../../shared/fields/account-defaults";
import type { ContentGroup, Style } from "../../shared/outcomes";
import {
  broadcastRequest,
  fileRequest,
  mediaDownloadRequest,
  rcsRequest,
  smsRequest,
  tokenRequest,
  whatsappMediaRequest,
  whatsappTemplateRequest,
  whatsappTextRequest,
} from "./request-schemas";

/** Every operation of the service, as data. docs/service.md, Operations and Authentication. */
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

export type Scope = "messaging:whatsapp" | "messaging:rcs" | "media:create" | "media:read";

/** How the request's fields travel. `latin1` ones are ISO-8859-1 percent-encoded. */
export type Encoding = "form-latin1" | "query-latin1" | "json" | "multipart" | "form" | "none";

/** How the answer is read. */
export type AnswerForm = "legacy-form" | "json" | "upload" | "bytes" | "token";

export interface Operation {
  readonly id: OperationId;
  readonly style: Style;
  /** The credentials of the request: legacy credentials, a bearer token, or the client credentials. */
  readonly auth: "legacy" | "bearer" | "client";
  readonly scope: Scope | null;
  readonly method: "GET" | "POST";
  /** Under the service address; `token`'s under the token service address. `{name}` is filled from a field. */
  readonly path: string;
  /** True for a path that the service's description does not show; the account can change it. docs/service.md, Assumptions. */
  readonly pathAssumed: boolean;
  /** True for a legacy path that is described without the prefix `/rest`, which other legacy paths have. */
  readonly restPrefixOptional: boolean;
  readonly encoding: Encoding;
  readonly answer: AnswerForm;
  /** Sends and uploads are repeated only when certainly not accepted; reads may always be repeated. */
  readonly effect: "send" | "upload" | "read";
  readonly recipients: { readonly field: string; readonly many: boolean; readonly plus: boolean } | null;
  /** True where the request names the sending application, which the account knows. */
  readonly application: boolean;
  /** Narrows the meaning of 4028. */
  readonly contentGroup: ContentGroup | null;
  readonly request: ZodType;
}

const legacyList = { field: "recipientAddressList", many: true, plus: false } as const;
const oneRecipient = { field: "recipient", many: false, plus: true } as const;

const legacySend = {
  style: "legacy",
  auth: "legacy",
  scope: null,
  method: "POST",
  pathAssumed: false,
  restPrefixOptional: false,
  effect: "send",
  recipients: legacyList,
  application: false,
  contentGroup: null,
} as const;

const oauthSend = {
  style: "oauth",
  auth: "bearer",
  method: "POST",
  restPrefixOptional: false,
  encoding: "json",
  answer: "json",
  effect: "send",
  recipients: oneRecipient,
  application: true,
} as const;

export const OPERATIONS: Readonly<Record<OperationId, Operation>> = {
  "sms-form": {
    ...legacySend,
    id: "sms-form",
    path: "/rest/smsmessaging/simple",
    encoding: "form-latin1",
    answer: "legacy-form",
    request: smsRequest,
  },
  "sms-get": {
    ...legacySend,
    id: "sms-get",
    method: "GET",
    path: "/rest/smsmessaging/simple",
    encoding: "query-latin1",
    answer: "legacy-form",
    request: smsRequest,
  },
  "sms-json": {
    ...legacySend,
    id: "sms-json",
    path: "/rest/smsmessaging/text",
    encoding: "json",
    answer: "json",
    request: smsRequest,
  },
  "whatsapp-broadcast": {
    ...legacySend,
    id: "whatsapp-broadcast",
    path: "/converged/whatsapp",
    restPrefixOptional: true,
    encoding: "json",
    answer: "json",
    request: broadcastRequest,
  },
  "attachment-create": {
    ...legacySend,
    id: "attachment-create",
    path: "/whatsapp/attachment",
    restPrefixOptional: true,
    encoding: "multipart",
    answer: "json",
    effect: "upload",
    recipients: null,
    request: fileRequest,
  },
  "whatsapp-text": {
    ...oauthSend,
    id: "whatsapp-text",
    scope: "messaging:whatsapp",
    path: "/messaging/whatsapp/send_text",
    pathAssumed: false,
    contentGroup: "text",
    request: whatsappTextRequest,
  },
  "whatsapp-media": {
    ...oauthSend,
    id: "whatsapp-media",
    scope: "messaging:whatsapp",
    path: ASSUMED_PATHS["whatsapp-media"],
    pathAssumed: true,
    contentGroup: "media",
    request: whatsappMediaRequest,
  },
  "whatsapp-template": {
    ...oauthSend,
    id: "whatsapp-template",
    scope: "messaging:whatsapp",
    path: ASSUMED_PATHS["whatsapp-template"],
    pathAssumed: true,
    contentGroup: "template",
    request: whatsappTemplateRequest,
  },
  rcs: {
    ...oauthSend,
    id: "rcs",
    scope: "messaging:rcs",
    path: ASSUMED_PATHS.rcs,
    pathAssumed: true,
    contentGroup: "rcs",
    request: rcsRequest,
  },
  "media-upload": {
    ...oauthSend,
    id: "media-upload",
    scope: "media:create",
    path: ASSUMED_PATHS["media-upload"],
    pathAssumed: true,
    encoding: "multipart",
    answer: "upload",
    effect: "upload",
    recipients: null,
    application: false,
    contentGroup: null,
    request: fileRequest,
  },
  "media-download": {
    ...oauthSend,
    id: "media-download",
    scope: "media:read",
    method: "GET",
    path: "/messaging/media/{mediaId}",
    pathAssumed: false,
    encoding: "none",
    answer: "bytes",
    effect: "read",
    recipients: null,
    application: false,
    contentGroup: null,
    request: mediaDownloadRequest,
  },
  token: {
    id: "token",
    style: "oauth",
    auth: "client",
    scope: null,
    method: "POST",
    path: "/oauth/token",
    pathAssumed: false,
    restPrefixOptional: false,
    encoding: "form",
    answer: "token",
    effect: "read",
    recipients: null,
    application: false,
    contentGroup: null,
    request: tokenRequest,
  },
};
