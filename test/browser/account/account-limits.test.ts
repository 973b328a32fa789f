import assert from "node:assert/strict";
import { ACCOUNT_DEFAULTS } from "../../../lib/shared/fields/account-defaults";
import { EMPTY_TAB, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";

const NAMES = [
  "limitHour",
  "limitDay",
  "limitNumberHour",
  "limitNumberDay",
  "limitAction",
  "stopSending",
] as const;

const NEW = Object.fromEntries(NAMES.map((name) => [name, ACCOUNT_DEFAULTS[name]]));

const SAVED = {
  limitHour: "100",
  limitDay: "500",
  limitNumberHour: "2",
  limitNumberDay: "3",
  limitAction: "refuse",
  stopSending: true,
};

onEachEditor(
  "limits of an account in the dialog",
  (bench) => {
    const form = "#node-config-dialog-edit-form";
    const group = `${form} details[data-summarised]`;
    const input = (name: (typeof NAMES)[number]): string => `#node-config-input-${name}`;

    const open = async (id: string, unfolded = true): Promise<void> => {
      const { editor } = bench;
      await editor.page.evaluate(`RED.editor.editConfig("", "messaging-account", "${id}")`);
      await editor.opened("#node-config-input-name");
      if (unfolded) {
        await editor.page.click(`${group} summary`);
        await editor.page.waitForSelector(input("stopSending"));
      }
    };
    const close = async (button: "ok" | "cancel"): Promise<void> => {
      await bench.editor.page.click(`#node-config-dialog-${button}`);
      await bench.editor.page.waitForSelector(form, { state: "detached" });
    };
    const summaryText = async (): Promise<string> =>
      (await bench.editor.page.locator(`${group} .messaging-summary`).textContent()) ?? "";
    const faults = (): Promise<string[]> =>
      bench.editor.page.locator(`${group} [role=alert]:visible`).allInnerTexts();
    /** Properties as the editor has them. */
    const held = (id: string): Promise<Record<string, unknown>> =>
      bench.editor.page.evaluate(
        `((node) => Object.fromEntries(${JSON.stringify(NAMES)}.map((name) => [name, node[name]])))(RED.nodes.node("${id}"))`,
      );
    const changes = async (): Promise<string[]> => {
      const names = await bench.editor.page.evaluate<string[]>(
        "Object.keys(RED.history.peek()?.changes ?? {})",
      );
      return names.filter((name) => name !== "credentials");
    };

    it("are blank for a new account, and what happens at one is no question then", async () => {
      const { page } = bench.editor;
      await open("new");
      for (const name of NAMES.slice(0, 4)) {
        assert.equal(await page.inputValue(input(name)), "", name);
      }
      assert.equal(await page.isVisible(input("limitAction")), false);
      assert.equal(await page.isChecked(input("stopSending")), false);
      assert.doesNotMatch(await summaryText(), /per hour|per day|stopped/);
      await page.fill(input("limitNumberDay"), "3");
      await page.waitForSelector(input("limitAction"));
      await page.fill(input("limitNumberDay"), "");
      await page.waitForSelector(input("limitAction"), { state: "hidden" });
      await close("ok");
      assert.deepEqual(await held("new"), NEW);
      assert.deepEqual(await changes(), []);
    });

    itOnBoth("are saved with what happens at one, and stand in the summary", async () => {
      const { page } = bench.editor;
      await open("new");
      await page.fill(input("limitHour"), "100");
      await page.fill(input("limitNumberDay"), "3");
      await page.selectOption(input("limitAction"), "refuse");
      await page.check(input("stopSending"));
      assert.match(
        await summaryText(),
        / · at most 100 per hour · 3 per day to one number · sending stopped$/,
      );
      await close("ok");
      const saved = { limitHour: "100", limitNumberDay: "3", limitAction: "refuse", stopSending: true };
      assert.deepEqual(await held("new"), { ...NEW, ...saved });
    });

    it("are shown as they were saved", async () => {
      const { page } = bench.editor;
      await open("saved");
      for (const name of NAMES.slice(0, 5)) {
        assert.equal(await page.inputValue(input(name)), String(SAVED[name]), name);
      }
      assert.equal(await page.isChecked(input("stopSending")), true);
      await close("ok");
      assert.deepEqual(await changes(), []);
    });

    it("are whole numbers from 1 on, or a variable", async () => {
      const { page } = bench.editor;
      await open("new");
      for (const [typed, fault] of [
        ["0", /must be from 1 to 1,000,000,000/i],
        ["1.5", /must be a whole number/i],
        ["many", /must be a whole number/i],
      ] as const) {
        await page.fill(input("limitHour"), typed);
        await page.waitForSelector(`${group} .messaging-fault`);
        assert.match((await faults()).join(), fault);
      }
      for (const typed of ["1", "${LIMIT}", ""]) {
        await page.fill(input("limitHour"), typed);
        await page.waitForSelector(`${group} .messaging-fault`, { state: "detached" });
      }
      await close("cancel");
    });

    it("open the group where one is wrong", async () => {
      await open("wrong", false);
      assert.equal(await bench.editor.page.isVisible(input("limitDay")), true);
      assert.match((await faults()).join(), /must be from 1/i);
      await close("cancel");
    });

    it("stand on one line for hour and day, each with a name for screen readers", async () => {
      const { page } = bench.editor;
      await open("new");
      for (const [one, other] of [
        ["limitHour", "limitDay"],
        ["limitNumberHour", "limitNumberDay"],
      ] as const) {
        const boxes = await Promise.all([one, other].map((name) => page.locator(input(name)).boundingBox()));
        assert.equal(boxes[0]?.y, boxes[1]?.y);
      }
      assert.equal(await page.getByRole("textbox", { name: "Messages to one number per day" }).count(), 1);
      await close("cancel");
    });

    it("say of an account in memory from when they count", async () => {
      const { page } = bench.editor;
      const hint = page.locator(group, { hasText: "count from each start of Node-RED" });
      const text = page.getByText("its limits count from each start of Node-RED");
      await open("new");
      assert.equal(await hint.count(), 1);
      assert.equal(await text.isVisible(), false);
      await page.evaluate(`$("#node-config-input-keepMessages").val("memory").trigger("change")`);
      assert.equal(await text.isVisible(), true);
      await close("cancel");
    });
  },
  {
    flows: [
      EMPTY_TAB,
      { id: "new", type: "messaging-account", name: "New" },
      { id: "saved", type: "messaging-account", ...SAVED, name: "Saved" },
      { id: "wrong", type: "messaging-account", limitDay: "0", name: "Wrong" },
    ],
  },
);
