import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT = resolve(__dirname, "../../..");
const BASE_LANGUAGE = "en-US";

/** Texts of one file, each by its complete key: `sms-send.field.priority`. */
export type FlatTexts = ReadonlyMap<string, string>;

/** The texts of one node or plugin in one language. */
export interface LocaleFile {
  readonly language: string;
  /** File name without its extension: the name of the node. */
  readonly stem: string;
  /** From the top of the repository, without the extension. */
  readonly path: string;
  /** The same file in the language that all others follow. */
  readonly basePath: string;
}

const stemsOf = (folder: string): readonly string[] => [
  ...new Set(readdirSync(folder).map((file) => file.replace(/\.(json|html)$/, ""))),
];

/** Files and folders below some folders of the repository, by their paths in it. */
export const pathsBelow = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, encoding: "utf8" }).map((path) => join(top, path)),
  );

/** Every folder `locales/<language>` of nodes and plugins, file by file. */
export function localeFiles(): readonly LocaleFile[] {
  const folders = pathsBelow("nodes", "plugins").filter((path) => /[\\/]locales[\\/][^\\/]+$/.test(path));
  return folders.flatMap((folder) =>
    stemsOf(join(ROOT, folder)).map((stem) => ({
      language: folder.split(/[\\/]/).at(-1) ?? "",
      stem,
      path: join(folder, stem),
      basePath: join(folder, "..", BASE_LANGUAGE, stem),
    })),
  );
}

/** Those of the languages that follow English. */
export const translations = (): readonly LocaleFile[] =>
  localeFiles().filter(({ language }) => language !== BASE_LANGUAGE);

/** Those in English. */
export const originals = (): readonly LocaleFile[] =>
  localeFiles().filter(({ language }) => language === BASE_LANGUAGE);

/** The text of a file of the repository; null where there is none. */
export function sourceText(path: string): string | null {
  try {
    return readFileSync(join(ROOT, path), "utf8");
  } catch {
    return null;
  }
}

export function flatten(value: unknown, prefix: string, into: Map<string, string>): Map<string, string> {
  for (const [key, inner] of Object.entries(value as Record<string, unknown>)) {
    const path = prefix === "" ? key : `${prefix}.${key}`;
    if (typeof inner === "string") {
      into.set(path, inner);
    } else {
      flatten(inner, path, into);
    }
  }
  return into;
}

/** Reads `<path>.json`; empty where a node has help only. */
export function readTexts(path: string): FlatTexts {
  const json = sourceText(`${path}.json`);
  return json === null ? new Map() : flatten(JSON.parse(json), "", new Map());
}

/** What a text is filled with, sorted: `["max", "min"]` of `__min__ to __max__`. */
export const placeholdersOf = (text: string): readonly string[] =>
  [...text.matchAll(/__(\w+?)__/g)].map(([, name = ""]) => name).sort();
