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

const toSource = (data: FilePart["data"]): ByteSource =>
  data instanceof Uint8Array ? new MemorySource(data) : data;

interface Section {
  readonly head: Buffer;
  readonly source: ByteSource;
}

const END_OF_SECTION = Buffer.from("\r\n");

export class MultipartSource implements ByteSource {
  readonly contentType: string;
  readonly length: number;
  readonly #sections: readonly Section[];
  readonly #tail: Buffer;

  constructor(files: Readonly<Record<string, FilePart>>) {
    const boundary = `part-${randomUUID()}`;
    this.contentType = `multipart/form-data; boundary=${boundary}`;
    this.#sections = Object.entries(files).map(([field, { data, name, type }]) => ({
      head: Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${quoted(name)}"\r\ncontent-type: ${quoted(type)}\r\n\r\n`,
      ),
      source: toSource(data),
    }));
    this.#tail = Buffer.from(`--${boundary}--\r\n`);
    this.length = this.#sections.reduce(
      (sum, { head, source }) => sum + head.length + source.length + END_OF_SECTION.length,
      this.#tail.length,
    );
  }

  /** Opens every file before the first byte of the request. */
  async open(): Promise<OpenSource> {
    const opened: { head: Buffer; open: OpenSource }[] = [];
    const close = async (): Promise<void> => {
      await Promise.all(opened.map(({ open }) => open.close()));
    };
    try {
      for (const { head, source } of this.#sections) {
        opened.push({ head, open: await source.open() });
      }
    } catch (error) {
      await close();
      throw error;
    }
    const tail = this.#tail;
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (const { head, open } of opened) {
        yield head;
        yield* open.pieces;
        yield END_OF_SECTION;
      }
      yield tail;
    }
    return { pieces: pieces(), close };
  }
}
