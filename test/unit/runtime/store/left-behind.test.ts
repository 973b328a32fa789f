import assert from "node:assert/strict";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FormerPlaces } from "../../../../lib/runtime/store/former-places";
import { LeftBehind } from "../../../../lib/runtime/store/left-behind";
import { openStore } from "../../../../lib/runtime/store/open-store";
import { Moves } from "../../../../lib/store/moves";
import { STORE_FILE } from "../../../../lib/shared/own-files";
import { useFolder } from "../../store/use-folder";

describe("what waits in the former places of an account that closes", () => {
  const folder = useFolder();
  const { place } = Moves.prototype;
  afterEach(() => {
    Moves.prototype.place = place;
  });

  for (const work of ["look", "move"] as const) {
    it(`is not opened after that, where a ${work} has begun`, async () => {
      const [first, second, present] = ["first", "second", "present"].map((name) => ({
        folder: join(folder(), name),
        keepFor: 1_000_000,
        keepTexts: false,
        snapshotLimit: 1_000,
      })) as [Settings, Settings, Settings];
      const account = `left-behind-${work}`;
      const fileOf = (settings: Settings): string => join(settings.folder, STORE_FILE);
      for (const settings of [first, second]) {
        mkdirSync(settings.folder);
        // Without tables, until somebody opens it.
        writeFileSync(fileOf(settings), "");
        await FormerPlaces.of(account, undefined).since(settings);
      }
      const opened = await openStore(account, present);
      const leftBehind = new LeftBehind({
        id: account,
        userDir: undefined,
        isInFlows: () => true,
        settings: () => present,
        openStore: async () => opened,
        textKey: () => Promise.reject(new Error("nothing is sensitive here")),
      });
      const closing: Promise<void>[] = [];
      Moves.prototype.place = async function () {
        const name = await place.call(this);
        if (statSync(fileOf(first)).size > 0) {
          closing.push(leftBehind.close());
        }
        return name;
      };
      await leftBehind[work]();
      assert.notEqual(closing.length, 0);
      await Promise.all(closing);
      assert.equal(statSync(fileOf(second)).size, 0);
      await opened.release();
    });
  }
});

type Settings = Parameters<typeof openStore>[1] & { readonly folder: string };
