import { randomUUID } from "node:crypto";
import { type FileHandle, link, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { type ResponseSink, TransferError } from "../../../lib/gateway/http/body/transfer";
import { splitName } from "./file-name";
import { say } from "../../../lib/texts/say";
import type { ExistingFile } from "../shared/media-fields";

const MOST_NUMBERS = 9999;
const OWNER_ONLY = 0o600;

const getCode = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";

function unwritable(path: string, error: unknown): TransferError {
  return error instanceof TransferError
    ? error
    : new TransferError("FILE_UNWRITABLE", `${path}: ${getCode(error) || String(error)}`);
}

const exists = (path: string): TransferError => new TransferError("FILE_EXISTS", path);

const fileExists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

function* numbered(name: string): Generator<string> {
  yield name;
  const { stem, extension } = splitName(name);
  for (let number = 1; number <= MOST_NUMBERS; number++) {
    yield `${stem} (${number})${extension}`;
  }
}

/** Writes a file that appears under its name when it is complete. Never follows a link at the target. */
export class FileSink implements ResponseSink {
  #size = 0;
  #open: FileHandle | null;
  #path: string | null = null;

  private constructor(
    private readonly folder: string,
    private readonly wanted: string,
    private readonly existing: ExistingFile,
    private readonly temporary: string,
    handle: FileHandle,
  ) {
    this.#open = handle;
  }

  /** @throws TransferError FILE_UNWRITABLE, FILE_EXISTS */
  static async create(folder: string, name: string, existing: ExistingFile): Promise<FileSink> {
    const temporary = join(folder, `.${randomUUID()}.part`);
    try {
      await mkdir(folder, { recursive: true });
      if (existing === "refuse" && (await fileExists(join(folder, name)))) {
        throw exists(join(folder, name));
      }
      return new FileSink(folder, name, existing, temporary, await open(temporary, "wx", OWNER_ONLY));
    } catch (error) {
      throw unwritable(folder, error);
    }
  }

  get path(): string | null {
    return this.#path;
  }

  get name(): string {
    return this.#path === null ? this.wanted : basename(this.#path);
  }

  get size(): number {
    return this.#size;
  }

  async write(piece: Uint8Array): Promise<void> {
    try {
      for (let at = 0; at < piece.length; ) {
        const { bytesWritten } = await this.#handle.write(piece, at, piece.length - at, this.#size);
        at += bytesWritten;
        this.#size += bytesWritten;
      }
    } catch (error) {
      throw unwritable(join(this.folder, this.wanted), error);
    }
  }

  get #handle(): FileHandle {
    if (this.#open === null) {
      const path = join(this.folder, this.wanted);
      throw new TransferError("FILE_UNWRITABLE", say("files.download.closed", { path }));
    }
    return this.#open;
  }

  async finish(): Promise<void> {
    try {
      // Synced before the rename, so that a power failure cannot leave an empty file under the name.
      await this.#handle.datasync();
      await this.#close();
      this.#path = await this.#moveToName();
    } catch (error) {
      throw unwritable(join(this.folder, this.wanted), error);
    }
  }

  async #moveToName(): Promise<string> {
    if (this.existing === "overwrite") {
      const path = join(this.folder, this.wanted);
      await rename(this.temporary, path);
      return path;
    }
    for (const name of this.existing === "number" ? numbered(this.wanted) : [this.wanted]) {
      const path = join(this.folder, name);
      if (await this.#linkAs(path)) {
        return path;
      }
    }
    throw exists(join(this.folder, this.wanted));
  }

  /** Gives the file a free name in one atomic step. @returns false if a file of the name exists */
  async #linkAs(path: string): Promise<boolean> {
    try {
      await link(this.temporary, path);
      await rm(this.temporary, { force: true }).catch(() => {});
      return true;
    } catch (error) {
      if (getCode(error) === "EEXIST") {
        return false;
      }
    }
    // A file system without hard links: an empty file reserves the name, then the file replaces it.
    try {
      await (await open(path, "wx", OWNER_ONLY)).close();
    } catch (error) {
      if (getCode(error) === "EEXIST") {
        return false;
      }
      throw error;
    }
    await rename(this.temporary, path);
    return true;
  }

  async discard(): Promise<void> {
    await this.#close().catch(() => {});
    if (this.#path === null) {
      await rm(this.temporary, { force: true }).catch(() => {});
    }
  }

  async #close(): Promise<void> {
    const handle = this.#open;
    this.#open = null;
    await handle?.close();
  }
}
