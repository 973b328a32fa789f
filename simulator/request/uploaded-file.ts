import { createHash } from "node:crypto";

/** What is kept of a file in logs and lists. */
export interface FileDescription {
  readonly fileName: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Of the content, in hexadecimal digits. */
  readonly sha256: string;
}

/** A file as it was received. */
export class UploadedFile {
  #description: FileDescription | null = null;

  constructor(
    readonly fileName: string,
    readonly contentType: string,
    readonly content: Buffer,
  ) {}

  get size(): number {
    return this.content.length;
  }

  describe(): FileDescription {
    this.#description ??= {
      fileName: this.fileName,
      contentType: this.contentType,
      size: this.size,
      sha256: createHash("sha256").update(this.content).digest("hex"),
    };
    return this.#description;
  }
}

/** True for a media type, with or without parameters, that can stand in a header. */
export function isContentType(text: string): boolean {
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+( *;[\x20-\x7e]*)?$/.test(text) && text.length <= 255;
}

/** True for a name that a file can be given: one line, 1 to 255 characters. */
export function isFileName(text: string): boolean {
  return !/\p{Cc}|\p{Cs}/u.test(text) && text.length >= 1 && text.length <= 255;
}
