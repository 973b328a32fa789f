import { realpath } from "node:fs/promises";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isCredentialsName, isOwnFileName, isOwnFolderName } from "../../shared/own-files";

/** What of Node-RED's settings says where its own files are. */
export interface RuntimePaths {
  readonly userDir?: string | undefined;
  readonly settingsFile?: string | undefined;
  readonly flowFile?: string | undefined;
  readonly nodesDir?: string | readonly string[] | undefined;
}

/**
 * Where a path really leads, each link followed. Of what does not exist yet, the part that does decides.
 * @throws the file system's error for a path that cannot be looked at
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

/** The way from one folder down to a path, blank for the folder itself; null where it does not lie in it. */
export function pathWithin(folder: string, path: string): string | null {
  const way = relative(folder, path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : way;
}

const real = (path: string): Promise<string> => realPath(path).catch(() => path);

/** Files that Node-RED's settings name, wherever they are: settings, flows and their credentials. */
function namedFiles({ userDir, settingsFile, flowFile }: RuntimePaths): string[] {
  const files = typeof settingsFile === "string" && settingsFile !== "" ? [resolve(settingsFile)] : [];
  if (typeof flowFile === "string" && flowFile !== "") {
    const extension = extname(flowFile);
    const credentials = `${basename(flowFile, extension)}_cred${extension}`;
    // A name alone is looked for in the user directory, and where Node-RED was started.
    for (const folder of userDir ? [userDir, process.cwd()] : [process.cwd()]) {
      const flows = resolve(folder, flowFile);
      files.push(flows, join(dirname(flows), credentials), join(folder, credentials));
    }
  }
  return files;
}

/** Tells Node-RED's own files and folders from all others. All paths that it is asked about are real ones. */
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

  /** Whether Node-RED loads what lies in a folder, or keeps its own things there: no download may go there. */
  ownsFolder(folder: string): boolean {
    const [first = ""] = this.#below(folder);
    return (
      (first !== "" && isOwnFolderName(first)) ||
      folder.split(sep).includes("node_modules") ||
      this.codeFolders.some((own) => pathWithin(own, folder) !== null)
    );
  }

  /** Whether a download may not have this name in this folder. */
  ownsFile(folder: string, name: string): boolean {
    return this.named.has(join(folder, name)) || (this.isUserDir(folder) && isOwnFileName(name));
  }

  /** Whether a file holds settings, flows, credentials or contexts: no message may have it uploaded. */
  isPrivate(path: string): boolean {
    const way = this.#below(path);
    const [first = ""] = way;
    return (
      this.named.has(path) ||
      first === "context" ||
      (way.length === 1 && isOwnFileName(first)) ||
      (way.length > 1 && (isCredentialsName(basename(path)) || way.some((part) => part.startsWith("."))))
    );
  }

  /** The names on the way from the user directory to a path; none where it is elsewhere. */
  #below(path: string): string[] {
    const way = this.userDir === null ? null : pathWithin(this.userDir, path);
    return way === null ? [] : way.split(sep);
  }
}
