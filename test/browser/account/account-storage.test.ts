import assert from "node:assert/strict";
import { isAbsolute, join } from "node:path";
import { accountDialog, input } from "../../support/editor/account-dialog";
import { EMPTY_TAB, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";
import { usePostgresql } from "../../support/store/use-postgresql";

const KEPT = {
  keepMessages: "computer",
  storeFolder: "",
  keepDays: "30",
  keepTexts: false,
  snapshotLimit: "256",
};
const NAMES = Object.keys(KEPT);
/** What an account that does not keep messages in PostgreSQL has of it. */
const OF_POSTGRESQL = { storeSchema: "messaging", storeTls: "" };
const EXAMPLE = "postgresql://user:password@host:5432/database";
/** An address where nothing listens: port 1 is nobody's. */
const NOBODY = "postgresql://shop:never-shown@127.0.0.1:1/messages";

const ACCOUNTS = ["in-memory", "kept", "in-postgresql"];

onEachEditor(
  "storage of an account in the dialog",
  (bench) => {
    const { form, open, close, faults } = accountDialog(bench);
    const [select, folderInput, url, schema] = ["keepMessages", "storeFolder", "storeUrl", "storeSchema"].map(
      input,
    ) as [string, string, string, string];
    const noSqlite = ".messaging-storage-no-sqlite";

    const shown = (what: string): Promise<boolean> => bench.editor.page.isVisible(`${form} ${what}`);
    const shownInputs = (): Promise<boolean[]> =>
      Promise.all(NAMES.slice(1).map((name) => bench.editor.page.isVisible(input(name))));
    const held = (id: string) => bench.editor.held(id, ["valid", ...NAMES, ...Object.keys(OF_POSTGRESQL)]);
    /** Fills an input, and gives what the dialog finds wrong then. */
    const faultOf = async (selector: string, typed: string): Promise<string> => {
      await bench.editor.page.fill(selector, typed);
      await bench.editor.page.keyboard.press("Tab");
      return (await faults()).join();
    };
    /** The line about the storage of what the test of the connection says. */
    const storageLine = async (): Promise<string> => {
      await bench.editor.page.click(".messaging-connection-test button");
      const line = bench.editor.page.locator(".messaging-result-line", { hasText: "Storage:" });
      await line.waitFor();
      return line.innerText();
    };

    itOnBoth("has a new account keep messages on this computer, and shows where", async () => {
      const { editor, nodeRed } = bench;
      const { page } = editor;
      const sender = await editor.add("sms-send");
      await editor.show(sender);
      await bench.editor.showAccount();
      await page.evaluate(`$("${select}").closest("details").attr("open", "")`);
      assert.equal(await page.inputValue(select), "computer");
      await page.waitForFunction(`$("${folderInput}").attr("placeholder").endsWith("messaging")`);
      const folder = await page.getAttribute(folderInput, "placeholder");
      assert.equal(folder, join(nodeRed.folder, "messaging"));
      assert.ok(isAbsolute(folder));
      assert.equal(await shown(noSqlite), false);
      assert.deepEqual(await shownInputs(), [true, true, true, true]);
      assert.ok((await storageLine()).includes(join(folder, "messages.db")));
      await close("ok");
      await editor.done();
      await editor.deploy();
      const deployed = (await nodeRed.flows()).find(
        ({ type, id }) => type === "messaging-account" && !ACCOUNTS.includes(id),
      );
      assert.deepEqual(Object.fromEntries(NAMES.map((name) => [name, deployed?.[name]])), KEPT);
    });

    it("unfolds the section of an account in memory, and of no other", async () => {
      const { page } = bench.editor;
      for (const [id, unfolded] of [
        ["kept", false],
        ["in-memory", true],
      ] as const) {
        await open(id, false);
        assert.equal(await page.isVisible(select), unfolded, id);
        await close("cancel");
      }
    });

    it("saves the choice of another place", async () => {
      const { page } = bench.editor;
      await open("kept");
      await page.selectOption(select, "memory");
      await close("ok");
      assert.equal((await held("kept")).keepMessages, "memory");
      await open("in-memory");
      await page.selectOption(select, "computer");
      assert.deepEqual(await shownInputs(), [true, true, true, true]);
      await close("ok");
      assert.deepEqual(await held("in-memory"), { valid: true, ...KEPT, ...OF_POSTGRESQL });
    });

    it("names a folder and numbers that cannot work, while they have an effect", async () => {
      const { page } = bench.editor;
      await open("kept");
      assert.match(await faultOf(folderInput, "~/messages"), /shell/);
      assert.match(await faultOf(folderInput, "${DATA}/messages"), /variable/);
      assert.equal(await faultOf(folderInput, "${DATA}"), "");
      assert.equal(await faultOf(folderInput, "/mnt/messages"), "");
      assert.match(await faultOf(input("keepDays"), "0"), /1.*3,?650/);
      await page.selectOption(select, "memory");
      assert.deepEqual(await faults(), []);
      await close("ok");
      assert.equal((await held("kept")).valid, true);
    });

    it("offers PostgreSQL between this computer and memory, with its rows, and names what cannot work in them", async () => {
      const { page } = bench.editor;
      await open("kept");
      assert.deepEqual(await page.locator(`${select} option`).allInnerTexts(), [
        "on this computer",
        "in PostgreSQL",
        "in memory only",
      ]);
      assert.deepEqual([await shown(url), await shown(schema)], [false, false]);
      await page.selectOption(select, "postgresql");
      assert.deepEqual([await shown(url), await shown(schema)], [true, true]);
      assert.equal(await shown("#node-config-input-storeTls"), true);
      assert.equal(await page.inputValue(schema), "messaging");
      assert.deepEqual(await shownInputs(), [false, true, true, true], "all but the folder");
      assert.equal(await page.getAttribute(url, "type"), "password");
      assert.equal(await page.getAttribute(url, "placeholder"), EXAMPLE);
      assert.match((await faults()).join(), /type the URL/i);
      for (const [selector, typed, fault] of [
        [url, "mysql://user:password@host/database", /must start with postgresql:/i],
        [url, "postgresql://user:pass/word@host/database", /%2F/],
        [url, "postgresql://user:${PASSWORD}@host/database", /the whole URL/],
        [url, "postgresql://user:password@host", /name of the database/],
        [url, EXAMPLE, /^$/],
        [url, "${DATABASE_URL}", /^$/],
        [schema, "my-schema", /letters A to Z/],
        [schema, "x".repeat(49), /48/],
        [schema, "pg_messages", /reserves/],
        [schema, "", /^$/],
      ] as const) {
        assert.match(await faultOf(selector, typed), fault, typed);
      }
      await page.fill(schema, "my-schema");
      await page.fill(url, "");
      await page.selectOption(select, "memory");
      assert.deepEqual([await shown(url), await shown(schema)], [false, false]);
      assert.deepEqual(await faults(), []);
      await close("cancel");
    });

    it("changes nothing where PostgreSQL was chosen and left again", async () => {
      const { page } = bench.editor;
      await open("kept");
      await page.selectOption(select, "postgresql");
      await page.selectOption(select, "computer");
      await close("ok");
      assert.deepEqual(await held("kept"), { valid: true, ...KEPT, ...OF_POSTGRESQL });
      assert.deepEqual(await bench.editor.changes(), []);
    });

    itOnBoth("saves the URL as a credential, and shows none of it again", async () => {
      const { editor, nodeRed } = bench;
      const { page } = editor;
      await open("in-postgresql");
      await page.fill(url, NOBODY);
      await page.fill(schema, "shop");
      await close("ok");
      await editor.deploy();
      const flows = JSON.stringify(await nodeRed.flows());
      assert.ok(flows.includes('"storeSchema":"shop"'));
      assert.equal(flows.includes("never-shown"), false);
      await editor.showAnew();
      await open("in-postgresql");
      assert.equal(await page.inputValue(url), "__PWRD__");
      assert.deepEqual(await faults(), []);
      const text = await storageLine();
      assert.match(text, /127\.0\.0\.1:1\/messages.* cannot be reached/);
      assert.doesNotMatch(text, /never-shown|shop:/);
      await close("cancel");
    });

    describe("with a PostgreSQL server", () => {
      const server = usePostgresql();

      it("tests the database as it is entered, and says what is wrong with it", async () => {
        const { page } = bench.editor;
        const test = async (typed: string): Promise<string> => {
          await page.fill(url, typed);
          return storageLine();
        };
        await open("kept");
        await page.selectOption(select, "postgresql");
        const database = await server().newDatabase();
        const found = await test(database);
        const { host, pathname } = new URL(database);
        assert.ok(found.includes(`${host}${pathname} (messaging) can be reached.`), found);
        assert.match(
          found,
          /The schema is not there yet.*\nPostgreSQL \d+.*, not encrypted; 0 bytes; answers in \d+ ms/,
        );
        assert.match(await test(database.replace("right-password", "wrong-password")), /refuses the user/);
        assert.match(await test(database.replace(/\w+$/, "elsewhere")), /elsewhere.* does not exist/);
        assert.match(await test(`${database}?sslmode=require`), /encrypted connection .* fails/);
        await close("cancel");
      });
    });

    it("says how many messages stay behind while another place is chosen, and not in the present one", async () => {
      const { page } = bench.editor;
      const path = "**/messaging-account/*/storage";
      const left = ".messaging-storage-left";
      let waiting = 1;
      await page.route(path, (route) =>
        route.fulfill({ json: { folder: "/data/messaging", sqlite: true, waiting } }),
      );
      const openedAnd = async (says: RegExp): Promise<void> => {
        const answered = page.waitForResponse(path);
        await open("kept");
        await answered;
        assert.equal(await shown(left), false);
        await page.selectOption(select, "memory");
        await page.waitForSelector(left);
        assert.match(await page.innerText(left), says);
      };
      await openedAnd(/^\s*1 message waits in the present place\. It stays/);
      await close("cancel");
      waiting = 1_204;
      await openedAnd(/^\s*1,204 messages wait in the present place\. They stay/);
      await page.selectOption(select, "computer");
      assert.equal(await shown(left), false);
      await page.fill(folderInput, "elsewhere");
      await page.waitForSelector(left);
      await page.unroute(path);
      await close("cancel");
    });

    it("says that a computer without SQLite cannot keep messages, and what can be done", async () => {
      const { page } = bench.editor;
      const path = "**/messaging-account/*/storage";
      await page.route(path, (route) =>
        route.fulfill({ json: { folder: "/data/messaging", sqlite: false } }),
      );
      await open("kept");
      await page.waitForSelector(noSqlite);
      assert.match(await page.innerText(noSqlite), /Node\.js 22\.13 .* in PostgreSQL or in memory only/);
      await page.selectOption(select, "memory");
      assert.equal(await shown(noSqlite), false);
      await page.unroute(path);
      await close("cancel");
    });
  },
  {
    flows: [
      EMPTY_TAB,
      { id: "in-memory", type: "messaging-account", ...KEPT, name: "Memory", keepMessages: "memory" },
      { id: "kept", type: "messaging-account", ...KEPT },
      { id: "in-postgresql", type: "messaging-account", ...KEPT, keepMessages: "postgresql" },
    ],
  },
);
