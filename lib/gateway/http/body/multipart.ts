import { randomUUID } from "node:crypto";
import type { ByteSource, OpenSource } from "../../contract/byte-source";
import { MemorySource } from "./byte-sources";

/** `name` is shown to the service, and `type` is the media type. */
export interface FilePart {
  readonly data: Uint8Array | ByteSource;
  readonly name: string;
  readonly type: string;
}

/** Escapes quotes and line breaks as browsers do. */
const quoted = (name: string): string =>
  name.replace(
    /["\r\n]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );

/** The body `multipart/form-data` of one file. */
export class MultipartSource implements ByteSource {
  readonly contentType: string;
  readonly length: number;
  readonly #head: Buffer;
  readonly #source: ByteSource;
  readonly #tail: Buffer;

  constructor(field: string, { data, name, type }: FilePart) {
    const boundary = `part-${randomUUID()}`;
    this.contentType = `multipart/form-data; boundary=${boundary}`;
    this.#head = Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${quoted(name)}"\r\ncontent-type: ${quoted(type)}\r\n\r\n`,
    );
    this.#source = data instanceof Uint8Array ? new MemorySource(data) : data;
    this.#tail = Buffer.from(`\r\n--${boundary}--\r\n`);
    this.length = this.#head.length + this.#source.length + this.#tail.length;
  }

  async open(): Promise<OpenSource> {
    const source = await this.#source.open();
    const [head, tail] = [this.#head, this.#tail];
    async function* all(): AsyncGenerator<Uint8Array> {
      yield head;
      yield* source.pieces;
      yield tail;
    }
    return { pieces: all(), close: () => source.close() };
  }
}
