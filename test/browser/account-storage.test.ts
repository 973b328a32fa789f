import assert from "node:assert/strict";
import { isAbsolute, join } from "node:path";
import { ACCOUNT_DEFAULTS } from "../../lib/shared/fields/account-defaults";
import { EMPTY_TAB, onEachEditor } from "../support/editor/on-each-editor";

const KEPT = {
  keepMessages: "computer",
  storeFolder: "",
  keepDays: "30",
  keepTexts: false,
  snapshotLimit: "256",
};
const NAMES = Object.keys(KEPT);

/** An account as it was saved before it could keep messages. */
const EARLIER = {
  type: "messaging-account",
  name: "Earlier",
  tls: "",
  proxy: "",
  paths: {},
  ...Object.fromEntries(
    Object.entries(ACCOUNT_DEFAULTS)
      .filter(([name]) => !NAMES.includes(name))
      .map(([name, value]) => [name, typeof value === "number" ? String(value) : value]),
  ),
};

const ACCOUNTS = ["earlier", "in-memory", "kept"];

onEachEditor(
  "storage of an account in the dialog",
  (bench) => {
    const form = "#node-config-dialog-edit-form";
    const select = "#node-config-input-keepMessages";
    const advice = ".messaging-storage-advice";
    const noSqlite = ".messaging-storage-no-sqlite";
    const inputs = NAMES.slice(1).map((name) => `#node-config-input-${name}`);

    const open = async (id: string): Promise<void> => {
      await bench.editor.page.evaluate(`RED.editor.editConfig("", "messaging-account", "${id}")`);
      await bench.editor.opened("#node-config-input-name");
      await bench.editor.page.evaluate(`$("${select}").closest("details").attr("open", "")`);
    };
    const close = async (button: "ok" | "cancel"): Promise<void> => {
      await bench.editor.page.click(`#node-config-dialog-${button}`);
      await bench.editor.page.waitForSelector(form, { state: "detached" });
    };
    const shown = (what: string): Promise<boolean> => bench.editor.page.isVisible(`${form} ${what}`);
    const shownInputs = (): Promise<boolean[]> =>
      Promise.all(inputs.map((input) => bench.editor.page.isVisible(input)));
    /** Properties of an account as the editor has them; those it lacks are missing here as well. */
    const held = (id: string): Promise<Record<string, unknown>> =>
      bench.editor.page.evaluate(
        `(({ valid, ...node }) => ({ valid, ...Object.fromEntries(
          ${JSON.stringify(NAMES)}.filter((name) => node[name] !== undefined).map((name) => [name, node[name]])) }))(RED.nodes.node("${id}"))`,
      );

    /** Properties that the last dialog changed. Node-RED counts credentials that were never typed among them. */
    const changes = async (): Promise<string[]> => {
      const names = await bench.editor.page.evaluate<string[]>(
        "Object.keys(RED.history.peek()?.changes ?? {})",
      );
      return names.filter((name) => name !== "credentials");
    };

    it("has a new account keep messages on this computer, and shows where", async () => {
      const { editor, nodeRed } = bench;
      const { page } = editor;
      const sender = await editor.drag("sms-send");
      await editor.edit(sender);
      await page.click("#node-input-btn-account-add");
      await editor.opened("#node-config-input-name");
      await page.evaluate(`$("${select}").closest("details").attr("open", "")`);
      assert.equal(await page.inputValue(select), "computer");
      assert.equal(await shown(advice), false);
      await page.waitForFunction(
        `$("#node-config-input-storeFolder").attr("placeholder").endsWith("messaging")`,
      );
      const folder = await page.getAttribute("#node-config-input-storeFolder", "placeholder");
      assert.equal(folder, join(nodeRed.folder, "messaging"));
      assert.ok(isAbsolute(folder));
      assert.equal(await shown(noSqlite), false);
      assert.deepEqual(await shownInputs(), [true, true, true, true]);
      await page.click(".messaging-connection-test button");
      const line = page.locator(".messaging-result-line-ok", { hasText: "Storage:" });
      await line.waitFor();
      assert.ok((await line.innerText()).includes(join(folder, "messages.db")));
      await close("ok");
      await editor.done();
      await editor.deploy();
      const deployed = (await nodeRed.flows()).find(
        ({ type, id }) => type === "messaging-account" && !ACCOUNTS.includes(id),
      );
      assert.deepEqual(Object.fromEntries(NAMES.map((name) => [name, deployed?.[name]])), KEPT);
    });

    it("shows an account of before as in memory, and changes nothing unless a person does", async () => {
      const { page } = bench.editor;
      assert.deepEqual(await held("earlier"), { valid: true });
      await open("earlier");
      assert.equal(await page.inputValue(select), "memory");
      assert.equal(await shown(advice), true);
      assert.deepEqual(await shownInputs(), [false, false, false, false]);
      await close("ok");
      assert.deepEqual(await held("earlier"), { valid: true });
      assert.deepEqual(await changes(), []);
      await open("earlier");
      await page.fill("#node-config-input-name", "Renamed");
      await close("ok");
      assert.deepEqual(await held("earlier"), { valid: true });
      assert.deepEqual(await changes(), ["name"]);
    });

    it("unfolds the section of an account of before, and of no other", async () => {
      const { page } = bench.editor;
      for (const [id, unfolded] of [
        ["earlier", true],
        ["in-memory", true],
        ["kept", false],
      ] as const) {
        await page.evaluate(`RED.editor.editConfig("", "messaging-account", "${id}")`);
        await bench.editor.opened("#node-config-input-name");
        assert.equal(await page.isVisible(select), unfolded, id);
        await close("cancel");
      }
    });

    it("follows its advice at the press of a button", async () => {
      const { page } = bench.editor;
      await open("earlier");
      await page.click(`${advice} button`);
      assert.equal(await page.inputValue(select), "computer");
      assert.equal(await shown(advice), false);
      assert.deepEqual(await shownInputs(), [true, true, true, true]);
      await close("ok");
      assert.deepEqual(await held("earlier"), { valid: true, ...KEPT });
    });

    it("saves the choice of memory, and gives the advice no more", async () => {
      const { page } = bench.editor;
      await open("earlier");
      await page.selectOption(select, "computer");
      await page.selectOption(select, "memory");
      assert.equal(await shown(advice), false);
      await close("ok");
      assert.equal((await held("earlier")).keepMessages, "memory");
      await open("earlier");
      assert.equal(await shown(advice), false);
      await close("cancel");
    });

    it("names a folder and numbers that cannot work, while they have an effect", async () => {
      const { page } = bench.editor;
      await open("kept");
      const faults = async (): Promise<string> =>
        (await page.locator(`${form} .messaging-fault`).allInnerTexts()).join();
      for (const [folder, fault] of [
        ["~/messages", /shell/],
        ["${DATA}/messages", /variable/],
        ["${DATA}", /^$/],
        ["/mnt/messages", /^$/],
      ] as const) {
        await page.fill("#node-config-input-storeFolder", folder);
        await page.keyboard.press("Tab");
        assert.match(await faults(), fault, folder);
      }
      await page.fill("#node-config-input-keepDays", "0");
      await page.keyboard.press("Tab");
      assert.match(await faults(), /1 and 3650|1.*3,?650/);
      await page.selectOption(select, "memory");
      await page.waitForFunction(`$("${form} .messaging-fault").length === 0`);
      await close("ok");
      assert.equal((await held("kept")).valid, true);
    });

    it("says that a computer without SQLite cannot keep messages, and what can be done", async () => {
      const { page } = bench.editor;
      const path = "**/messaging-account/*/storage";
      await page.route(path, (route) =>
        route.fulfill({ json: { folder: "/data/messaging", sqlite: false } }),
      );
      await open("kept");
      await page.waitForSelector(noSqlite);
      assert.match(await page.innerText(noSqlite), /Node\.js 22\.13 .* in memory only/);
      await page.selectOption(select, "memory");
      assert.equal(await shown(noSqlite), false);
      await page.unroute(path);
      await close("cancel");
    });
  },
  {
    flows: [
      EMPTY_TAB,
      { id: "earlier", ...EARLIER },
      { id: "in-memory", ...EARLIER, ...KEPT, name: "Memory", keepMessages: "memory" },
      { id: "kept", ...EARLIER, ...KEPT },
    ],
  },
);
