import { extension, lookup } from "mime-types";

export const UNKNOWN_TYPE = "application/octet-stream";

/** Extensions that phones write, if the registry of types lists others first. */
const PREFERRED: Readonly<Record<string, string>> = {
  "audio/aac": "aac",
  "audio/mpeg": "mp3",
  "audio/ogg": "ogg",
  "text/vcard": "vcf",
  "video/quicktime": "mov",
};

export const typeOfName = (name: string): string =>
  /\.vcf$/i.test(name) ? "text/vcard" : lookup(name) || UNKNOWN_TYPE;

export function extensionOfType(type: string): string {
  const [bare = ""] = type.split(";");
  return `.${PREFERRED[bare.trim().toLowerCase()] ?? (extension(type) || "bin")}`;
}
