import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT = resolve(__dirname, "../../..");

/** Files and folders below some folders of the repository, by their paths in it. */
export const pathsBelow = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, encoding: "utf8" }).map((path) => join(top, path)),
  );
