import { createHash } from "node:crypto";

export interface FileDescription {
  readonly fileName: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string;
}

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

export function isContentType(text: string): boolean {
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+( *;[\x20-\x7e]*)?$/.test(text) && text.length <= 255;
}

/** True for a valid file name: 1 to 255 UTF-16 units without control characters. */
export function isFileName(text: string): boolean {
  return !/\p{Cc}|\p{Cs}/u.test(text) && text.length >= 1 && text.length <= 255;
}
