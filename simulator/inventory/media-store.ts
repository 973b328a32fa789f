import { randomUUID } from "node:crypto";
import { z } from "zod";
import { BoundedLog } from "../util/bounded-log";
import { GeneratedBytes } from "../util/generated-bytes";
import { parseInput } from "../util/parse-input";
import { isContentType, isFileName, UploadedFile } from "../request/uploaded-file";

const MAX_FILES = 50;

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

const described = {
  contentType: z.string().refine(isContentType, "must be a media type"),
  fileName: z.string().refine(isFileName, "must be one line of 1 to 255 characters").default("file"),
};

/** A file to add. The byte at offset i of content that has only a size is i mod 251. */
export const newMedia = z.union([
  z.strictObject({
    ...described,
    content: z.union([z.string(), z.custom<Uint8Array>((value) => value instanceof Uint8Array)]),
  }),
  z.strictObject({ ...described, base64: z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/) }),
  z.strictObject({ ...described, size: z.int().min(0) }),
]);

export type NewMedia = Readonly<z.input<typeof newMedia>>;

export interface SimulatedMedia {
  readonly mediaId: string;
  readonly contentType: string;
  readonly fileName: string;
  readonly size: number;
  readonly sha256: string | null;
}

type StoredMedia = UploadedFile | GeneratedMedia;

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

export class MediaStore {
  readonly #files = new BoundedLog<StoredEntry>(MAX_FILES);

  add(file: StoredMedia): string {
    const mediaId = randomUUID();
    this.#files.add({ mediaId, file });
    return mediaId;
  }

  get(mediaId: string): StoredMedia | null {
    const id = mediaId.toLowerCase();
    return [SAMPLE, ...this.#files.entries].find((each) => each.mediaId === id)?.file ?? null;
  }

  list(): SimulatedMedia[] {
    return [SAMPLE, ...this.#files.entries].map(({ mediaId, file }) => ({
      mediaId,
      fileName: file.fileName,
      contentType: file.contentType,
      size: file.size,
      sha256: file instanceof UploadedFile ? file.describe().sha256 : null,
    }));
  }

  clear(): void {
    this.#files.clear();
  }
}

export function parseMedia(input: unknown): StoredMedia {
  const { fileName, contentType, ...given } = parseInput("media", newMedia, input);
  if ("size" in given) return new GeneratedMedia(fileName, contentType, new GeneratedBytes(given.size));
  const content = "base64" in given ? Buffer.from(given.base64, "base64") : Buffer.from(given.content);
  return new UploadedFile(fileName, contentType, content);
}
