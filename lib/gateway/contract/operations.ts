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

/** What most operations have in common. */
const SEND = {
  method: "POST",
  scope: null,
  restPrefixOptional: false,
  encoding: "json",
  answer: "json",
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
    answer: "legacy-form",
    request: smsRequest,
  },
  "sms-get": {
    ...LEGACY,
    method: "GET",
    path: "/rest/smsmessaging/simple",
    encoding: "query-latin1",
    answer: "legacy-form",
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
    answer: "upload",
  },
  "media-download": {
    ...OAUTH,
    ...NO_MESSAGE,
    scope: "media:read",
    method: "GET",
    path: "/messaging/media/{mediaId}",
    encoding: "none",
    answer: "bytes",
    effect: "read",
    request: mediaDownloadRequest,
  },
  token: {
    ...OAUTH,
    ...NO_MESSAGE,
    auth: "client",
    path: "/oauth/token",
    encoding: "form",
    answer: "token",
    effect: "read",
    request: tokenRequest,
  },
};

export const OPERATIONS = Object.fromEntries(
  Object.entries(ROWS).map(([id, row]) => [id, { ...row, id, pathAssumed: id in ASSUMED_PATHS }]),
) as unknown as Readonly<Record<OperationId, Operation>>;
