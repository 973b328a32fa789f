import { realpath } from "node:fs/promises";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isCredentialsName, isOwnFileName, isOwnFolderName } from "../../shared/own-files";

/** The settings of Node-RED that locate its own files. */
export interface RuntimePaths {
  readonly userDir?: string | undefined;
  readonly settingsFile?: string | undefined;
  readonly flowFile?: string | undefined;
  readonly nodesDir?: string | readonly string[] | undefined;
}

/**
 * The real path behind links. Of a path that does not exist yet, the existing part is resolved.
 * @throws the file system's error for a path that cannot be read
 */
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

/** The relative path of a path within a folder, blank for the folder itself; null where it is outside. */
export function pathWithin(folder: string, path: string): string | null {
  const inner = relative(folder, path);
  return inner === ".." || inner.startsWith(`..${sep}`) || isAbsolute(inner) ? null : inner;
}

const real = (path: string): Promise<string> => realPath(path).catch(() => path);

/** Files that Node-RED's settings name: settings file, flow file and its credentials. */
function namedFiles({ userDir, settingsFile, flowFile }: RuntimePaths): string[] {
  const files = typeof settingsFile === "string" && settingsFile !== "" ? [resolve(settingsFile)] : [];
  if (typeof flowFile === "string" && flowFile !== "") {
    const extension = extname(flowFile);
    const credentials = `${basename(flowFile, extension)}_cred${extension}`;
    // Node-RED looks for a relative name in the user directory and in its working directory.
    for (const folder of userDir ? [userDir, process.cwd()] : [process.cwd()]) {
      const flows = resolve(folder, flowFile);
      files.push(flows, join(dirname(flows), credentials), join(folder, credentials));
    }
  }
  return files;
}

/** Recognises Node-RED's own files and folders. All paths given to it must be real paths. */
export class ProtectedFiles {
  private constructor(
    private readonly userDir: string | null,
    private readonly named: ReadonlySet<string>,
    private readonly codeFolders: readonly string[],
  ) {}

  static async of(paths: RuntimePaths): Promise<ProtectedFiles> {
    const { userDir, nodesDir = [] } = paths;
    const named = await Promise.all(namedFiles(paths).map(real));
    const folders = (typeof nodesDir === "string" ? [nodesDir] : [...nodesDir]).map((folder) =>
      resolve(folder),
    );
    return new ProtectedFiles(
      userDir ? await real(resolve(userDir)) : null,
      new Set(named),
      await Promise.all(folders.map(real)),
    );
  }

  isUserDir(folder: string): boolean {
    return this.userDir !== null && pathWithin(this.userDir, folder) === "";
  }

  /** Whether Node-RED loads code or stores its own files in a folder, so that no download may go there. */
  ownsFolder(folder: string): boolean {
    const [first = ""] = this.#below(folder);
    return (
      (first !== "" && isOwnFolderName(first)) ||
      folder.split(sep).includes("node_modules") ||
      this.codeFolders.some((own) => pathWithin(own, folder) !== null)
    );
  }

  /** Whether a file of this name in this folder belongs to Node-RED, so that no download may have it. */
  ownsFile(folder: string, name: string): boolean {
    return this.named.has(join(folder, name)) || (this.isUserDir(folder) && isOwnFileName(name));
  }

  /** Whether a file holds settings, flows, credentials or contexts, so that no message may upload it. */
  isPrivate(path: string): boolean {
    const names = this.#below(path);
    const [first = ""] = names;
    return (
      this.named.has(path) ||
      first === "context" ||
      (names.length === 1 && isOwnFileName(first)) ||
      (names.length > 1 && (isCredentialsName(basename(path)) || names.some((part) => part.startsWith("."))))
    );
  }

  /** The path segments of a path below the user directory; none for paths elsewhere. */
  #below(path: string): string[] {
    const inner = this.userDir === null ? null : pathWithin(this.userDir, path);
    return inner === null ? [] : inner.split(sep);
  }
}
