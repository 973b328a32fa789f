// Slow: it deploys accounts with stored messages and opens their dialog.
import assert from "node:assert/strict";
import { join } from "node:path";
import { accountDialog, input, NEW_ACCOUNT } from "../../support/editor/account-dialog";
import { EMPTY_TAB, onEachEditor } from "../../support/editor/on-each-editor";
import { usePostgresql } from "../../support/store/use-postgresql";

/** An address where nothing listens: port 1 is nobody's. */
const NOBODY = "postgresql://shop:never-shown@127.0.0.1:1/messages";
const STORAGE = "**/messaging-account/*/storage";

onEachEditor(
  "storage of an account in the dialog",
  (bench) => {
    const { form, open, close, faults } = accountDialog(bench);
    const [select, folder, url, schema] = ["keepMessages", "storeFolder", "storeUrl", "storeSchema"].map(
      input,
    ) as [string, string, string, string];

    const shown = (what: string): Promise<boolean> => bench.editor.page.isVisible(`${form} ${what}`);
    /** The line about the storage of what the test of the connection says. */
    const storageLine = async (): Promise<string> => {
      await bench.editor.page.click(".messaging-connection-test button");
      const line = bench.editor.page.locator(".messaging-result-line", { hasText: "Storage:" });
      await line.waitFor();
      return line.innerText();
    };

    it("shows the folder of an account that keeps messages on this computer", async () => {
      const { page } = bench.editor;
      await open("kept");
      await page.waitForFunction(`$("${folder}").attr("placeholder").endsWith("messaging")`);
      const place = join(bench.nodeRed.folder, "messaging");
      assert.equal(await page.getAttribute(folder, "placeholder"), place);
      assert.ok((await storageLine()).includes(join(place, "messages.db")));
      await close("cancel");
    });

    it("shows what cannot work for PostgreSQL, and nothing of it when it is left again", async () => {
      const { page } = bench.editor;
      await open("kept");
      assert.deepEqual([await shown(url), await shown(schema)], [false, false]);
      await page.selectOption(select, "postgresql");
      assert.deepEqual([await shown(url), await shown(schema)], [true, true]);
      assert.equal(await page.getAttribute(url, "type"), "password");
      assert.match((await faults()).join(), /type the URL/i);
      for (const [selector, typed, fault] of [
        [url, "mysql://user:password@host/database", /must start with postgresql:/i],
        [url, "postgresql://user:password@host", /name of the database/],
        [url, "${DATABASE_URL}", /^$/],
        [schema, "my-schema", /letters A to Z/],
        [schema, "", /^$/],
      ] as const) {
        await page.fill(selector, typed);
        assert.match((await faults()).join(), fault, typed);
      }
      await page.fill(url, "");
      await page.fill(schema, "messaging");
      await page.selectOption(select, "computer");
      assert.deepEqual(await faults(), []);
      await close("ok");
      assert.deepEqual(await bench.editor.changes(), []);
    });

    it("saves the URL as a credential, and shows none of it again", async () => {
      const { editor, nodeRed } = bench;
      const { page } = editor;
      await open("kept");
      await page.selectOption(select, "postgresql");
      await page.fill(url, NOBODY);
      await close("ok");
      await editor.deploy();
      assert.equal(JSON.stringify(await nodeRed.flows()).includes("never-shown"), false);
      await editor.showAnew();
      await open("kept");
      assert.equal(await page.inputValue(url), "__PWRD__");
      assert.deepEqual(await faults(), []);
      const text = await storageLine();
      assert.match(text, /127\.0\.0\.1:1\/messages.* cannot be reached/);
      assert.doesNotMatch(text, /never-shown|shop:/);
      await close("cancel");
    });

    describe("with a PostgreSQL server", () => {
      const server = usePostgresql();

      it("tests the database as it is entered, and names its fault", async () => {
        const { page } = bench.editor;
        const test = async (typed: string): Promise<string> => {
          await page.fill(url, typed);
          return storageLine();
        };
        await open("kept");
        await page.selectOption(select, "postgresql");
        const database = await server().newDatabase();
        const { host, pathname } = new URL(database);
        const found = await test(database);
        assert.ok(found.includes(`${host}${pathname} (messaging) can be reached.`), found);
        assert.match(await test(database.replace("right-password", "wrong-password")), /refuses the user/);
        assert.match(await test(database.replace(/\w+$/, "elsewhere")), /elsewhere.* does not exist/);
        await close("cancel");
      });
    });

    it("counts waiting messages of the current storage while another one is chosen", async () => {
      const { page } = bench.editor;
      const left = ".messaging-storage-left";
      await page.route(STORAGE, (route) =>
        route.fulfill({ json: { folder: "/data/messaging", sqlite: true, waiting: 1_204 } }),
      );
      const answered = page.waitForResponse(STORAGE);
      await open("kept");
      await answered;
      assert.equal(await shown(left), false);
      await page.selectOption(select, "memory");
      await page.waitForSelector(left);
      assert.match(
        await page.innerText(left),
        /^\s*1,204 messages wait in the current storage\..* Opt-outs, send-once keys and history do not follow\./,
      );
      await page.selectOption(select, "computer");
      assert.equal(await shown(left), false);
      await page.fill(folder, "elsewhere");
      await page.waitForSelector(left);
      await page.unroute(STORAGE);
      await close("cancel");
    });

    it("names what to do on a computer without SQLite", async () => {
      const { page } = bench.editor;
      const noSqlite = ".messaging-storage-no-sqlite";
      await page.route(STORAGE, (route) =>
        route.fulfill({ json: { folder: "/data/messaging", sqlite: false } }),
      );
      await open("kept");
      await page.waitForSelector(noSqlite);
      assert.match(await page.innerText(noSqlite), /Node\.js 22\.13/);
      await page.selectOption(select, "memory");
      assert.equal(await shown(noSqlite), true);
      await page.selectOption(select, "postgresql");
      assert.equal(await shown(noSqlite), false);
      await page.unroute(STORAGE);
      await close("cancel");
    });
  },
  { flows: [EMPTY_TAB, { ...NEW_ACCOUNT, id: "kept" }] },
);
