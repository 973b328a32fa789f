import { existsSync } from "node:fs";
import { join } from "node:path";
import { STORE_FILE } from "../../shared/own-files";
import { readFolders, writeFolders } from "./places-file";
import { type FolderSettings, isSamePlace, type StoreSettings } from "./store-settings";

/** Where an account kept messages before. Outlives the account, which ends with each deploy. */
export class FormerPlaces {
  static readonly #byAccount = new Map<string, FormerPlaces>();

  /** @param userDir where the folders are remembered over a restart; undefined for nowhere */
  static of(account: string, userDir: string | undefined): FormerPlaces {
    const key = JSON.stringify([account, userDir]);
    const known = FormerPlaces.#byAccount.get(key) ?? new FormerPlaces(account, userDir);
    FormerPlaces.#byAccount.set(key, known);
    return known;
  }

  /** All of them, the present one as the last; null until the file was read. */
  #known: readonly StoreSettings[] | null = null;
  /** The folders that the file names, as JSON. */
  #written = "[]";

  private constructor(
    private readonly account: string,
    private readonly userDir: string | undefined,
  ) {}

  /** The former places of an account that keeps messages here now. @param present null for memory */
  async since(present: StoreSettings | null): Promise<readonly StoreSettings[]> {
    this.#known ??= await this.#read();
    const former = this.#known.filter((each) => !isSamePlace(each, present) && !isGone(each));
    await this.#know(present === null ? former : [...former, present]);
    return former;
  }

  /** Nothing waits there any more. */
  async forget(place: StoreSettings): Promise<void> {
    await this.#know((this.#known ?? []).filter((each) => !isSamePlace(each, place)));
  }

  async #read(): Promise<readonly StoreSettings[]> {
    if (this.userDir === undefined) {
      return [];
    }
    const folders = await readFolders(this.userDir, this.account);
    this.#written = JSON.stringify(folders);
    return folders;
  }

  async #know(places: readonly StoreSettings[]): Promise<void> {
    this.#known = places;
    const folders = places.filter(isFolder);
    const written = JSON.stringify(folders);
    if (this.userDir !== undefined && written !== this.#written) {
      try {
        await writeFolders(this.userDir, this.account, folders);
        this.#written = written;
      } catch {
        // They are known as long as this process lives.
      }
    }
  }
}

const isFolder = (place: StoreSettings): place is FolderSettings => place.folder !== undefined;

/** Nothing waits in a file that is gone, and to look would make it again. */
const isGone = ({ folder }: StoreSettings): boolean =>
  folder !== undefined && !existsSync(join(folder, STORE_FILE));
