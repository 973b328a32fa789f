import { refuseOthers, requireObject } from "../util/require-fields";

/** Decodes a media file from JSON, where `base64` replaces `content`. Throws a TypeError for invalid input. */
export function mediaFromJson(value: unknown): Record<string, unknown> {
  const { base64, ...media } = requireObject("media", value);
  if (base64 === undefined) return media;
  refuseOthers("media", media, ["contentType", "fileName"]);
  if (typeof base64 !== "string" || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    throw new TypeError("media: base64 must be content in base64");
  }
  return { ...media, content: Buffer.from(base64, "base64") };
}
