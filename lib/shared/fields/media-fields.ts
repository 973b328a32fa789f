import type { NumberRange } from "./account-defaults";
import { type FieldSpec, fromMessage, OPTIONAL } from "./field-spec";

/** What a media node can do, the initial one first. */
export const MEDIA_KINDS = ["download", "upload", "attachment"] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];

/** What a download does if a file of the name exists, the initial choice first. */
export const EXISTING_FILE = ["number", "overwrite", "refuse"] as const;
export type ExistingFile = (typeof EXISTING_FILE)[number];

/** Where the bytes are: in the message or in a file. */
export const PLACES = ["buffer", "file"] as const;
export type Place = (typeof PLACES)[number];

/** The base folder of a new node, in Node-RED's user directory: one of its own, which is made when a message first names a file. */
export const NEW_BASE_FOLDER = "messaging-files";

/**
 * Settings of a media node besides its fields, as a new one has them. `limit` in MiB; blank means the default.
 * `baseFolder` is the folder that paths of messages must lie in; blank: any folder.
 */
export const MEDIA_SETTINGS = {
  to: "buffer",
  from: "buffer",
  existing: "number",
  limit: "",
  baseFolder: NEW_BASE_FOLDER,
} as const;

/** Outputs of a new media node, which downloads: one for each of four outcomes, and one for messages without a file. */
export const MEDIA_OUTPUTS = 5;

/** MiB: the limit where none is set. What is downloaded into a message must fit into memory. */
export const DEFAULT_LIMIT = {
  download: { buffer: 16, file: 100 },
  upload: { buffer: 100, file: 100 },
} as const;

/** MiB that the limit can be set to, by where the bytes are. */
export const LIMIT_RANGES: Readonly<Record<Place, NumberRange>> = {
  buffer: { min: 0.001, max: 1024, whole: false },
  file: { min: 0.001, max: 10_240, whole: false },
};

/** The place of the bytes on this side, by what the node does. */
export const placeOf = (kind: unknown, settings: { readonly to: unknown; readonly from: unknown }): Place =>
  (kind === "download" ? settings.to : settings.from) === "file" ? "file" : "buffer";

/** MiB: the default limit of what the node does. */
export const defaultLimit = (kind: unknown, place: Place): number =>
  DEFAULT_LIMIT[kind === "download" ? "download" : "upload"][place];

const UPLOADS = ["upload", "attachment"] as const satisfies readonly MediaKind[];
const DOWNLOAD = ["download"] as const satisfies readonly MediaKind[];

/**
 * The fields of a media node. docs/service.md, Fields and limits; for the upload of media, Assumptions.
 */
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
    // Never from a message: its sender would choose where files are written.
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
