import { realpath } from "node:fs/promises";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import {
  foldName,
  isCredentialsName,
  isOwnFileName,
  isOwnFolderName,
  isStoreFileName,
} from "../../shared/own-files";

export interface RuntimePaths {
  readonly userDir?: string | undefined;
  readonly settingsFile?: string | undefined;
  readonly flowFile?: string | undefined;
  readonly nodesDir?: string | readonly string[] | undefined;
  readonly privateFolders?: readonly string[] | undefined;
}

/** Resolves links. For a missing path, it resolves the existing part. */
export async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || parent === path) {
      throw error;
    }
    return join(await realPath(parent), basename(path));
  }
}

export function pathWithin(folder: string, path: string): string | null {
  const inner = relative(folder, path);
  return inner === ".." || inner.startsWith(`..${sep}`) || isAbsolute(inner) ? null : inner;
}

const real = (path: string): Promise<string> => realPath(path).catch(() => path);

function namedFiles({ userDir, settingsFile, flowFile }: RuntimePaths): string[] {
  const files = typeof settingsFile === "string" && settingsFile !== "" ? [resolve(settingsFile)] : [];
  if (typeof flowFile === "string" && flowFile !== "") {
    const extension = extname(flowFile);
    const credentials = `${basename(flowFile, extension)}_cred${extension}`;
    // Node-RED resolves a relative name in the user directory and in its working directory.
    for (const folder of userDir ? [userDir, process.cwd()] : [process.cwd()]) {
      const flows = resolve(folder, flowFile);
      files.push(flows, join(dirname(flows), credentials), join(folder, credentials));
    }
  }
  return files;
}

/** Normalised for comparison: a file system may ignore case. */
type Parts = readonly string[];

const toParts = (path: string): Parts =>
  path
    .split(sep)
    .filter((part) => part !== "")
    .map(foldName);

const leadsInto = (folder: Parts, path: Parts): boolean => folder.every((part, at) => path[at] === part);

const toKey = (parts: Parts): string => parts.join(sep);

const toFolders = (paths: readonly string[]): Promise<Parts[]> =>
  Promise.all(paths.map(async (path) => toParts(await real(resolve(path)))));

/** Recognises files of Node-RED and of message stores. All paths must be real paths. */
export class ProtectedFiles {
  private constructor(
    private readonly userDir: Parts | null,
    private readonly named: ReadonlySet<string>,
    private readonly codeFolders: readonly Parts[],
    private readonly privateFolders: readonly Parts[],
  ) {}

  static async of(paths: RuntimePaths): Promise<ProtectedFiles> {
    const { userDir, nodesDir = [], privateFolders = [] } = paths;
    const named = await Promise.all(namedFiles(paths).map(real));
    const [own] = userDir ? await toFolders([userDir]) : [];
    return new ProtectedFiles(
      own ?? null,
      new Set(named.map((file) => toKey(toParts(file)))),
      await toFolders(typeof nodesDir === "string" ? [nodesDir] : nodesDir),
      await toFolders(privateFolders),
    );
  }

  isUserDir(folder: string): boolean {
    return this.userDir !== null && toKey(toParts(folder)) === toKey(this.userDir);
  }

  ownsFolder(folder: string): boolean {
    const parts = toParts(folder);
    const [first] = this.#below(parts);
    return (
      (first !== undefined && isOwnFolderName(first)) ||
      parts.includes("node_modules") ||
      this.codeFolders.some((own) => leadsInto(own, parts)) ||
      this.#isPrivate(parts)
    );
  }

  ownsFile(folder: string, name: string): boolean {
    return (
      this.named.has(toKey(toParts(join(folder, name)))) ||
      isStoreFileName(name) ||
      (this.isUserDir(folder) && isOwnFileName(name))
    );
  }

  isPrivate(path: string): boolean {
    const parts = toParts(path);
    const name = parts.at(-1) ?? "";
    const below = this.#below(parts);
    const [first] = below;
    return (
      this.named.has(toKey(parts)) ||
      isStoreFileName(name) ||
      this.#isPrivate(parts.slice(0, -1)) ||
      (below.length === 1 && isOwnFileName(name)) ||
      (first !== undefined &&
        below.length > 1 &&
        (isOwnFolderName(first) || isCredentialsName(name) || below.some((part) => part.startsWith("."))))
    );
  }

  #isPrivate(folder: Parts): boolean {
    return this.privateFolders.some(
      (own) =>
        leadsInto(own, folder) &&
        // A store in a folder above the user directory does not protect that whole folder.
        (own.length === folder.length || this.userDir === null || !leadsInto(own, this.userDir)),
    );
  }

  #below(path: Parts): Parts {
    return this.userDir !== null && leadsInto(this.userDir, path) ? path.slice(this.userDir.length) : [];
  }
}
