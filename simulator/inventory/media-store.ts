import { randomUUID } from "node:crypto";
import type { ByteBudget, ByteHolder } from "../util/byte-budget";
import { GeneratedBytes } from "../util/generated-bytes";
import { refuseOthers, requireObject } from "../util/require-fields";
import { isContentType, isFileName, UploadedFile } from "../request/uploaded-file";

const MOST_ITEMS = 10_000;
/** Approximate bytes of a file besides its content. */
const ENTRY = 1000;

/** A small PNG that every account has. */
export const SAMPLE_MEDIA_ID = "51a51a51-0000-4000-8000-00000000a001";

/** The picture that every account has; also what people send pictures of. */
export const SAMPLE_FILE = new UploadedFile(
  "sample.png",
  "image/png",
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAADAAAAAwAQMAAABtzGvEAAAABlBMVEX///8vnm4jGzloAAAAN0lEQVR42mNgIBMw//////8Biqk/" +
      "Njb2uCiq2MDA/wHsXv4HEOoAhGqAUBC/8EEoHgjFwUABAABsQ2xCN08ZCAAAAABJRU5ErkJggg==",
    "base64",
  ),
);

/** A media file to add by hand: its content, or for a large one only how many bytes to make up. */
export type NewMedia = {
  readonly contentType: string;
  readonly fileName: string;
} & (
  | { readonly content: string | Uint8Array }
  /** The byte at offset i is i mod 251. They are made while they are sent. */
  | { readonly size: number }
);

/** A media file that the service has. */
export interface SimulatedMedia {
  readonly mediaId: string;
  readonly contentType: string;
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
  /** Of the content, in hexadecimal digits; null for made up content. */
  readonly sha256: string | null;
}

type StoredMedia = UploadedFile | GeneratedMedia;

/** A file whose content is made up while it is sent. */
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

/** The media files of one account. Bounded: the oldest are forgotten, the newest and the sample never. */
export class MediaStore implements ByteHolder {
  readonly #mostBytes: number;
  readonly #budget: ByteBudget;
  readonly #items = new Map<string, StoredMedia>();
  /** Of contents alone. */
  #bytes = 0;

  /**
   * @param mostBytes of all uploads together
   * @param budget shared with all other records, which may cost this store its newest file too
   */
  constructor(mostBytes: number, budget: ByteBudget) {
    this.#mostBytes = mostBytes;
    this.#budget = budget;
    budget.join(this);
  }

  get count(): number {
    return this.#items.size;
  }

  get bytes(): number {
    return this.#bytes + this.#items.size * ENTRY;
  }

  /** Keeps a file and returns its mediaId. */
  add(file: StoredMedia): string {
    const mediaId = randomUUID();
    this.#items.set(mediaId, file);
    this.#count(weight(file), 1);
    while (this.#items.size > MOST_ITEMS || (this.#bytes > this.#mostBytes && this.#items.size > 1)) {
      this.dropOldest();
    }
    this.#budget.settle(this);
    return mediaId;
  }

  dropOldest(): void {
    const [oldest] = this.#items;
    if (!oldest) return;
    this.#items.delete(oldest[0]);
    this.#count(-weight(oldest[1]), -1);
  }

  get(mediaId: string): StoredMedia | null {
    const id = mediaId.toLowerCase();
    return id === SAMPLE_MEDIA_ID ? SAMPLE_FILE : (this.#items.get(id) ?? null);
  }

  /** The sample first, then oldest first. */
  list(): SimulatedMedia[] {
    return [[SAMPLE_MEDIA_ID, SAMPLE_FILE] as const, ...this.#items].map(([mediaId, file]) => ({
      mediaId,
      fileName: file.fileName,
      contentType: file.contentType,
      size: file.size,
      sha256: file instanceof UploadedFile ? file.describe().sha256 : null,
    }));
  }

  /** Leaves the sample only. */
  clear(): void {
    this.#count(-this.#bytes, -this.#items.size);
    this.#items.clear();
  }

  #count(bytes: number, items: number): void {
    this.#bytes += bytes;
    this.#budget.charge(bytes + items * ENTRY);
  }
}

/** Checks a media file that is added by hand. Throws a TypeError that says what is wrong. */
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
      throw new TypeError("media: content must be a text or bytes");
    }
    // A copy: what the caller does to its own bytes afterwards is not the service's affair.
    return new UploadedFile(fileName, contentType, Buffer.from(content));
  }
  if (!Number.isSafeInteger(size) || (size as number) < 0) {
    throw new TypeError("media: size must be a number of bytes");
  }
  return new GeneratedMedia(fileName, contentType, new GeneratedBytes(size as number));
}

function weight(file: StoredMedia): number {
  return file instanceof UploadedFile ? file.size : 0;
}
