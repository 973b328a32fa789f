/** Media types by extension: what messengers carry. The first extension of a type is the one a new file gets. */
const TYPES: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  heic: "image/heic",
  bmp: "image/bmp",
  svg: "image/svg+xml",
  tiff: "image/tiff",
  mp4: "video/mp4",
  "3gp": "video/3gpp",
  mov: "video/quicktime",
  webm: "video/webm",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  aac: "audio/aac",
  amr: "audio/amr",
  ogg: "audio/ogg",
  opus: "audio/ogg",
  wav: "audio/wav",
  pdf: "application/pdf",
  txt: "text/plain",
  csv: "text/csv",
  html: "text/html",
  vcf: "text/vcard",
  ics: "text/calendar",
  json: "application/json",
  xml: "application/xml",
  zip: "application/zip",
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ppt: "application/vnd.ms-powerpoint",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
};

/** Any bytes: the type of unknown files. */
export const UNKNOWN_TYPE = "application/octet-stream";

/** The media type of a file by its name. */
export function typeOfName(name: string): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(TYPES, extension) ? (TYPES[extension] as string) : UNKNOWN_TYPE;
}

/** The extension, with its dot, of files of a media type; parameters of the type do not matter. */
export function extensionOfType(type: string): string {
  const bare = type.split(";")[0]?.trim().toLowerCase();
  const found = Object.entries(TYPES).find(([, known]) => known === bare);
  return `.${found?.[0] ?? "bin"}`;
}

/** A media type, with or without parameters, that can stand in a header. */
export const isMediaType = (text: string): boolean =>
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+( *;[\x20-\x7e]*)?$/.test(text) && text.length <= 255;
