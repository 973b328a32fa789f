import { randomUUID } from "node:crypto";
import { BoundedLog } from "../util/bounded-log";
import { GeneratedBytes } from "../util/generated-bytes";
import { refuseOthers, requireObject } from "../util/require-fields";
import { isContentType, isFileName, UploadedFile } from "../request/uploaded-file";

const MAX_FILES = 50;

/** A small PNG that every account has. */
export const SAMPLE_MEDIA_ID = "51a51a51-0000-4000-8000-00000000a001";

/** The picture that every account has; scripted recipients send it too. */
export const SAMPLE_FILE = new UploadedFile(
  "sample.png",
  "image/png",
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAADAAAAAwAQMAAABtzGvEAAAABlBMVEX///8vnm4jGzloAAAAN0lEQVR42mNgIBMw//////8Biqk/" +
      "Njb2uCiq2MDA/wHsXv4HEOoAhGqAUBC/8EEoHgjFwUABAABsQ2xCN08ZCAAAAABJRU5ErkJggg==",
    "base64",
  ),
);

/** A media file to add: its content, or only its size for generated content. */
export type NewMedia = {
  readonly contentType: string;
  readonly fileName: string;
} & (
  | { readonly content: string | Uint8Array }
  /** Size of generated content; the byte at offset i is i mod 251. */
  | { readonly size: number }
);

/** A stored media file. */
export interface SimulatedMedia {
  readonly mediaId: string;
  readonly contentType: string;
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
  /** Hash of the content in hexadecimal digits; null for generated content. */
  readonly sha256: string | null;
}

type StoredMedia = UploadedFile | GeneratedMedia;

/** A file whose content is generated during the download. */
export class GeneratedMedia {
  constructor(
    readonly fileName: string,
    readonly contentType: string,
    readonly content: GeneratedBytes,
  ) {}

  get size(): number {
    return this.content.length;
  }
}

interface StoredEntry {
  readonly mediaId: string;
  readonly file: StoredMedia;
}

const SAMPLE: StoredEntry = { mediaId: SAMPLE_MEDIA_ID, file: SAMPLE_FILE };

/** The media files of one account. Drops the oldest above its limit, but never the sample. */
export class MediaStore {
  readonly #files = new BoundedLog<StoredEntry>(MAX_FILES);

  /** Stores a file and returns its mediaId. */
  add(file: StoredMedia): string {
    const mediaId = randomUUID();
    this.#files.add({ mediaId, file });
    return mediaId;
  }

  get(mediaId: string): StoredMedia | null {
    const id = mediaId.toLowerCase();
    return [SAMPLE, ...this.#files.entries].find((each) => each.mediaId === id)?.file ?? null;
  }

  /** The sample first, then oldest first. */
  list(): SimulatedMedia[] {
    return [SAMPLE, ...this.#files.entries].map(({ mediaId, file }) => ({
      mediaId,
      fileName: file.fileName,
      contentType: file.contentType,
      size: file.size,
      sha256: file instanceof UploadedFile ? file.describe().sha256 : null,
    }));
  }

  /** Removes all files except the sample. */
  clear(): void {
    this.#files.clear();
  }
}

/** Checks an added media file. Throws a TypeError that names the problem. */
export function parseMedia(input: unknown): StoredMedia {
  const given = requireObject("media", input);
  refuseOthers("media", given, ["contentType", "fileName", "content", "size"]);
  const { contentType, fileName, content, size } = given;
  if (typeof contentType !== "string" || !isContentType(contentType)) {
    throw new TypeError("media: contentType must be a media type");
  }
  if (typeof fileName !== "string" || !isFileName(fileName)) {
    throw new TypeError("media: fileName must be one line of 1 to 255 characters");
  }
  if ((content === undefined) === (size === undefined)) {
    throw new TypeError("media: needs either content or size");
  }
  if (content !== undefined) {
    if (typeof content !== "string" && !(content instanceof Uint8Array)) {
      throw new TypeError("media: content must be a string or bytes");
    }
    // A copy, so that later changes by the caller have no effect.
    return new UploadedFile(fileName, contentType, Buffer.from(content));
  }
  if (!Number.isSafeInteger(size) || (size as number) < 0) {
    throw new TypeError("media: size must be a number of bytes");
  }
  return new GeneratedMedia(fileName, contentType, new GeneratedBytes(size as number));
}
