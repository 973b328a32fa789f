import type { NumberRange } from "../../../lib/shared/fields/account-defaults";
import { type FieldSpec, fromMessage, OPTIONAL } from "../../../lib/shared/fields/field-spec";

export const MEDIA_KINDS = ["download", "upload", "attachment"] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];

export const EXISTING_FILE = ["number", "overwrite", "refuse"] as const;
export type ExistingFile = (typeof EXISTING_FILE)[number];

export const PLACES = ["buffer", "file"] as const;
export type Place = (typeof PLACES)[number];

/** In Node-RED's user directory. */
export const NEW_BASE_FOLDER = "messaging-files";

/** `limit` in MiB. `baseFolder` bounds paths of messages, if set. */
export const MEDIA_SETTINGS = {
  to: "buffer",
  from: "buffer",
  existing: "number",
  limit: "",
  baseFolder: NEW_BASE_FOLDER,
} as const;

export const MEDIA_OUTPUTS = 5;

/** MiB. A download into a message must fit into memory. */
export const DEFAULT_LIMIT = {
  download: { buffer: 16, file: 100 },
  upload: { buffer: 100, file: 100 },
} as const;

export const LIMIT_RANGES: Readonly<Record<Place, NumberRange>> = {
  buffer: { min: 0.001, max: 1024, whole: false },
  file: { min: 0.001, max: 10_240, whole: false },
};

export const placeOf = (kind: unknown, settings: { readonly to: unknown; readonly from: unknown }): Place =>
  (kind === "download" ? settings.to : settings.from) === "file" ? "file" : "buffer";

export const defaultLimit = (kind: unknown, place: Place): number =>
  DEFAULT_LIMIT[kind === "download" ? "download" : "upload"][place];

const UPLOADS = ["upload", "attachment"] as const satisfies readonly MediaKind[];
const DOWNLOAD = ["download"] as const satisfies readonly MediaKind[];

export const MEDIA_FIELDS = [
  {
    name: "mediaId",
    icon: "picture-o",
    place: "mediaId",
    messageKinds: DOWNLOAD,
    type: "text",
    ...fromMessage("payload.mediaId"),
  },
  {
    // A message must not choose where files are written.
    name: "folder",
    icon: "folder-open-o",
    place: "folder",
    messageKinds: DOWNLOAD,
    when: { to: "file" },
    type: "text",
    required: true,
    initial: { source: "str", value: "" },
    sources: ["str", "env"],
  },
  {
    name: "saveAs",
    icon: "file-text-o",
    place: "saveAs",
    messageKinds: DOWNLOAD,
    when: { to: "file" },
    type: "text",
    ...OPTIONAL,
  },
  {
    name: "content",
    icon: "file-o",
    place: "source",
    field: "file",
    messageKinds: UPLOADS,
    when: { from: "buffer" },
    type: "bytes",
    ...fromMessage("payload"),
    sources: ["msg", "flow", "global", "jsonata"],
  },
  {
    name: "path",
    icon: "file-o",
    place: "source",
    field: "file",
    messageKinds: UPLOADS,
    when: { from: "file" },
    type: "text",
    ...fromMessage("filename"),
  },
  {
    name: "fileName",
    icon: "file-text-o",
    place: "options",
    messageKinds: UPLOADS,
    type: "text",
    ...OPTIONAL,
  },
  { name: "contentType", icon: "tag", place: "options", messageKinds: UPLOADS, type: "text", ...OPTIONAL },
] as const satisfies readonly FieldSpec[];
