import { join, resolve } from "node:path";
import type { NodeAPI } from "node-red";
import { storeFolders } from "../account/store-folders";
import type { RuntimePaths } from "../channels/protected-files";

interface FolderSettings {
  readonly userDir?: string | undefined;
  readonly contextStorage?: Readonly<Record<string, unknown>> | undefined;
  readonly editorTheme?: object | undefined;
}

type Settings = Readonly<Record<string, unknown>>;

const asSettings = (value: unknown): Settings =>
  typeof value === "object" && value !== null ? (value as Settings) : {};

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Node-RED's module has them in `base`, of `dir` or else of the user directory. */
const contextFolders = ({ contextStorage, userDir }: FolderSettings): string[] =>
  Object.values(asSettings(contextStorage)).flatMap((storage) => {
    const config = asSettings(asSettings(storage).config);
    const parent = text(config.dir) || userDir;
    return parent === undefined ? [] : [resolve(join(parent, text(config.base) || "context"))];
  });

const libraryFolders = ({ editorTheme }: FolderSettings): string[] => {
  const { sources } = asSettings(asSettings(editorTheme).library);
  return (Array.isArray(sources) ? sources : []).flatMap((source) => {
    const path = text(asSettings(source).path);
    return path === "" ? [] : [resolve(path)];
  });
};

/** Current folders of this Node-RED and of its stores. */
export function runtimePaths(RED: NodeAPI): RuntimePaths {
  const settings: RuntimePaths & FolderSettings = RED.settings;
  const { userDir, settingsFile, flowFile, nodesDir } = settings;
  return {
    userDir,
    settingsFile,
    flowFile,
    nodesDir,
    privateFolders: [...storeFolders(RED), ...contextFolders(settings), ...libraryFolders(settings)],
  };
}
