import { extension, lookup } from "mime-types";

export const UNKNOWN_TYPE = "application/octet-stream";

/** Extensions that phones write, if the registry of types lists others first. */
const PREFERRED: Readonly<Record<string, string>> = {
  "audio/aac": "aac",
  "audio/mpeg": "mp3",
  "audio/ogg": "ogg",
  "image/pjpeg": "jpg",
  "text/vcard": "vcf",
  "video/quicktime": "mov",
};

export const typeOfName = (name: string): string =>
  /\.vcf$/i.test(name) ? "text/vcard" : lookup(name) || UNKNOWN_TYPE;

/** Phones also use unregistered types, such as `image/jpg`, `audio/opus` and `audio/x-m4a`. */
function subtypeAsExtension(type: string): string | null {
  const [, kind = "", name = ""] = /^(image|audio|video)\/(?:x-)?(\w+)$/.exec(type) ?? [];
  return name !== "" && String(lookup(name)).startsWith(`${kind}/`) ? name : null;
}

export function extensionOfType(type: string): string {
  const bare = (type.split(";")[0] ?? "").trim().toLowerCase();
  return `.${PREFERRED[bare] ?? (extension(bare) || subtypeAsExtension(bare) || "bin")}`;
}
