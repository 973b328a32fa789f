import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { say } from "../../../texts/say";
import type { ByteSource, OpenSource } from "../../contract/byte-source";
import { TransferError } from "./transfer";

const PIECE = 64 * 1024;

const reason = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

const sameFile = (one: Stats, other: Stats): boolean =>
  one.ino === other.ino && one.size === other.size && one.mtimeMs === other.mtimeMs;

export class MemorySource implements ByteSource {
  constructor(private readonly bytes: Uint8Array) {}

  get length(): number {
    return this.bytes.length;
  }

  open(): Promise<OpenSource> {
    const { bytes } = this;
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += PIECE) {
        yield bytes.subarray(at, at + PIECE);
      }
    }
    return Promise.resolve({ pieces: pieces(), close: () => Promise.resolve() });
  }
}

/** A local file, which must not change after the source was created. */
export class FileSource implements ByteSource {
  constructor(
    private readonly path: string,
    private readonly found: Stats,
  ) {}

  /** @throws TransferError FILE_UNREADABLE */
  static async of(path: string): Promise<FileSource> {
    const found = await stat(path).catch((error: unknown) => {
      throw new TransferError("FILE_UNREADABLE", `${path}: ${reason(error)}`);
    });
    if (!found.isFile()) {
      throw new TransferError("FILE_UNREADABLE", say("service.file.no-file", { path }));
    }
    return new FileSource(path, found);
  }

  get length(): number {
    return this.found.size;
  }

  async open(): Promise<OpenSource> {
    // Non-blocking, in case a pipe has replaced the file.
    const handle = await open(this.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(
      (error: unknown) => {
        throw new TransferError("FILE_UNREADABLE", `${this.path}: ${reason(error)}`);
      },
    );
    const close = (): Promise<void> => handle.close().catch(() => {});
    const now = await handle.stat().catch(() => null);
    if (now === null || !now.isFile() || !sameFile(this.found, now)) {
      await close();
      throw new TransferError("FILE_UNREADABLE", say("service.file.changed", { path: this.path }));
    }
    return { pieces: this.#read(handle), close };
  }

  async *#read(handle: FileHandle): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < this.length; ) {
      // A new buffer each time, because the last one may still be in use by the connection.
      const buffer = Buffer.allocUnsafeSlow(Math.min(PIECE, this.length - at));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at).catch((error: unknown) => {
        throw new TransferError("FILE_CHANGED", `${this.path}: ${reason(error)}`);
      });
      if (bytesRead === 0) {
        throw new TransferError("FILE_CHANGED", say("service.file.shorter", { path: this.path }));
      }
      at += bytesRead;
      yield bytesRead === buffer.length ? buffer : buffer.subarray(0, bytesRead);
    }
    const now = await handle.stat().catch(() => null);
    // Checked before the end of the request, so that the service never accepts a mixture of two files.
    if (now === null || !sameFile(this.found, now)) {
      throw new TransferError("FILE_CHANGED", say("service.file.written", { path: this.path }));
    }
  }
}
