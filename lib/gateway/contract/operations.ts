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

/** Every operation of the service as data (docs/service.md, Operations). */
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

/** `latin1`: percent-encoded ISO-8859-1. */
export type Encoding = "form-latin1" | "query-latin1" | "json" | "multipart" | "form" | "none";

export type ResponseForm = "legacy-form" | "json" | "upload" | "bytes" | "token";

export interface Operation {
  readonly id: OperationId;
  readonly style: Style;
  readonly auth: "legacy" | "bearer" | "client";
  readonly scope: Scope | null;
  readonly method: "GET" | "POST";
  /** Relative to the service address, or the token service address for `token`. */
  readonly path: string;
  /** The service does not document this path, so the account can change it. */
  readonly pathAssumed: boolean;
  /** True if the documented legacy path lacks the prefix `/rest`. */
  readonly restPrefixOptional: boolean;
  readonly encoding: Encoding;
  readonly response: ResponseForm;
  /** Reads are always repeatable, sends and uploads only if certainly not accepted. */
  readonly effect: "send" | "upload" | "read";
  readonly recipients: { readonly field: string; readonly many: boolean; readonly plus: boolean } | null;
  /** True if the request names the account's sending application. */
  readonly application: boolean;
  readonly contentGroup: ContentGroup | null;
  readonly request: ZodType;
}

const SEND = {
  method: "POST",
  scope: null,
  restPrefixOptional: false,
  encoding: "json",
  response: "json",
  effect: "send",
  application: false,
  contentGroup: null,
} as const;

const LEGACY = {
  ...SEND,
  style: "legacy",
  auth: "legacy",
  recipients: { field: "recipientAddressList", many: true, plus: false },
} as const;

const OAUTH = {
  ...SEND,
  style: "oauth",
  auth: "bearer",
  recipients: { field: "recipient", many: false, plus: true },
  application: true,
} as const;

const WHATSAPP = { ...OAUTH, scope: "messaging:whatsapp" } as const;

const NO_MESSAGE = { recipients: null, application: false } as const;
const UPLOAD = { ...NO_MESSAGE, encoding: "multipart", effect: "upload", request: fileRequest } as const;

const ROWS: Readonly<Record<OperationId, Omit<Operation, "id" | "pathAssumed">>> = {
  "sms-form": {
    ...LEGACY,
    path: "/rest/smsmessaging/simple",
    encoding: "form-latin1",
    response: "legacy-form",
    request: smsRequest,
  },
  "sms-get": {
    ...LEGACY,
    method: "GET",
    path: "/rest/smsmessaging/simple",
    encoding: "query-latin1",
    response: "legacy-form",
    request: smsRequest,
  },
  "sms-json": { ...LEGACY, path: "/rest/smsmessaging/text", request: smsRequest },
  "whatsapp-broadcast": {
    ...LEGACY,
    path: "/converged/whatsapp",
    restPrefixOptional: true,
    request: broadcastRequest,
  },
  "attachment-create": { ...LEGACY, ...UPLOAD, path: "/whatsapp/attachment", restPrefixOptional: true },
  "whatsapp-text": {
    ...WHATSAPP,
    path: "/messaging/whatsapp/send_text",
    contentGroup: "text",
    request: whatsappTextRequest,
  },
  "whatsapp-media": {
    ...WHATSAPP,
    path: ASSUMED_PATHS["whatsapp-media"],
    contentGroup: "media",
    request: whatsappMediaRequest,
  },
  "whatsapp-template": {
    ...WHATSAPP,
    path: ASSUMED_PATHS["whatsapp-template"],
    contentGroup: "template",
    request: whatsappTemplateRequest,
  },
  rcs: {
    ...OAUTH,
    scope: "messaging:rcs",
    path: ASSUMED_PATHS.rcs,
    contentGroup: "rcs",
    request: rcsRequest,
  },
  "media-upload": {
    ...OAUTH,
    ...UPLOAD,
    scope: "media:create",
    path: ASSUMED_PATHS["media-upload"],
    response: "upload",
  },
  "media-download": {
    ...OAUTH,
    ...NO_MESSAGE,
    scope: "media:read",
    method: "GET",
    path: "/messaging/media/{mediaId}",
    encoding: "none",
    response: "bytes",
    effect: "read",
    request: mediaDownloadRequest,
  },
  token: {
    ...OAUTH,
    ...NO_MESSAGE,
    auth: "client",
    path: "/oauth/token",
    encoding: "form",
    response: "token",
    effect: "read",
    request: tokenRequest,
  },
};

export const OPERATIONS = Object.fromEntries(
  Object.entries(ROWS).map(([id, row]) => [id, { ...row, id, pathAssumed: id in ASSUMED_PATHS }]),
) as unknown as Readonly<Record<OperationId, Operation>>;
