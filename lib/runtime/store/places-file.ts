import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { PLACES_FILE } from "../../shared/own-files";
import { defaultFolder, type FolderSettings } from "./store-settings";

const folder = z.object({
  folder: z.string().min(1),
  keepFor: z.number().positive(),
  keepTexts: z.boolean(),
  snapshotLimit: z.number().positive(),
});
const places = z.record(z.string(), z.array(folder));

/** The folders in which accounts have kept messages, by account, the latest last. */
type Places = Readonly<Record<string, readonly FolderSettings[]>>;

/** Writes that are under way, by file: one comes after the other. */
const writing = new Map<string, Promise<void>>();

const fileIn = (userDir: string): string => join(defaultFolder(userDir), PLACES_FILE);

async function readPlaces(file: string): Promise<Places> {
  try {
    return places.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    // Not there, or not ours: what it could have said is not known.
    return {};
  }
}

/** The folders in which an account has kept messages, as far as the file in the user directory says. Never rejects. */
export async function readFolders(userDir: string, account: string): Promise<readonly FolderSettings[]> {
  const file = fileIn(userDir);
  await writing.get(file);
  return (await readPlaces(file))[account] ?? [];
}

/** Writes them. No secret is in them: databases are left out, since their URL is one. */
export function writeFolders(
  userDir: string,
  account: string,
  folders: readonly FolderSettings[],
): Promise<void> {
  const file = fileIn(userDir);
  const done = (writing.get(file) ?? Promise.resolve()).then(() => change(file, account, folders));
  const settled = done.catch(() => {});
  writing.set(file, settled);
  return done;
}

async function change(file: string, account: string, folders: readonly FolderSettings[]): Promise<void> {
  const { [account]: _before, ...others } = await readPlaces(file);
  const after = folders.length === 0 ? others : { ...others, [account]: folders };
  await mkdir(join(file, ".."), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(8).toString("hex")}`;
  try {
    await writeFile(draft, JSON.stringify(after), { flag: "wx", mode: 0o600, flush: true });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
