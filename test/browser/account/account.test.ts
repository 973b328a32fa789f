// Slow: the dialog is opened many times, and deployed with secrets.
import assert from "node:assert/strict";
import type { Response } from "playwright-core";
import { type Simulator, startSimulator } from "../../../simulator/index";
import { ACCOUNT_DEFAULTS } from "../../../lib/shared/fields/account-defaults";
import { accountDialog, input, NEW_ACCOUNT } from "../../support/editor/account-dialog";
import { EMPTY_TAB, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";

const SECRET = "a-password-nobody-else-has";

/** A wrong value and a right one of an input. */
const FAULTS = [
  ["limitHour", "0", "1"],
  ["limitNumberDay", "1.5", "${LIMIT}"],
  ["sendingFrom", "8 o'clock", "09:00"],
  ["sendingTo", "09:00", "20:00"],
  ["timeZone", "Mars/Olympus", "Europe/Zurich"],
  ["defaultCountry", "Atlantis", "CH"],
  ["storeFolder", "~/messages", "/mnt/messages"],
  ["keepDays", "0", "62"],
  ["serviceAddress", "nowhere", "https://api.example.com"],
  ["applicationId", "one", "6f6a1d0e-8f0b-4c55-9f0f-0c9d1f0b7a11"],
] as const;

/** What is wrong with an account, and what its dialog says, whose group unfolds. */
const WRONG = [
  [{ limitDay: "0" }, /must be from 1/i],
  [{ allowedCountries: "" }, /at least one country/i],
  [{ sendingHours: true, sendingDays: "" }, /at least one day/i],
] as const;

onEachEditor(
  "account dialog",
  (bench) => {
    const { form, open, close, summary, faults } = accountDialog(bench);
    const resultLines = `${form} .messaging-result-lines`;
    let simulator: Simulator;
    before(async () => {
      simulator = await startSimulator();
    });
    // Without a browser it was never started.
    after(() => simulator?.close());

    itOnBoth("adds an account with the simulator from the dialog of a send node", async () => {
      const { editor } = bench;
      const { page } = editor;
      const id = await editor.add("messaging-sms-send");
      await page.evaluate(`RED.nodes.node("${id}").account = ""`);
      await editor.show(id);
      await editor.showAccount();
      assert.equal(await page.inputValue(input("service")), "simulator");
      assert.equal(await page.inputValue(input("keepMessages")), "computer");
      await page.fill(input("name"), "Shop");
      await page.click(".messaging-connection-test button");
      await page.waitForSelector(`${resultLines} .messaging-result-line-ok`);
      assert.match(await page.innerText(resultLines), /simulator/i);
      await close("ok");
      await editor.done();
      await editor.show(id);
      assert.match(await page.innerText("#node-input-account option:checked"), /Shop/);
      await editor.done();
    });

    itOnBoth("keeps every field when it is saved and opened again", async () => {
      const { editor } = bench;
      const { page } = editor;
      const path = "#messaging-account-path-rcs";
      await open("new");
      await page.selectOption(input("service"), "service");
      const filled = await editor.fillFields(form);
      assert.ok(filled >= 30, `only ${filled} fields to fill in`);
      await page.fill(path, "/rcs/messages");
      const kept = await editor.values();
      const changed = Object.keys(ACCOUNT_DEFAULTS).filter(
        (name) => kept[`node-config-input-${name}`] !== NEW_ACCOUNT[name as keyof typeof NEW_ACCOUNT],
      );
      assert.ok(changed.length >= 30, changed.join());
      await close("ok");
      await open("new");
      assert.deepEqual(await editor.values(), kept);
      assert.equal(await page.inputValue(path), "/rcs/messages");
      await close("ok");
    });

    itOnBoth("never gets a secret back, and sends it to no other address", async () => {
      const { editor, nodeRed } = bench;
      const { page } = editor;
      const bodies: Promise<string>[] = [];
      const keep = (response: Response): void => void bodies.push(response.text().catch(() => ""));
      page.on("response", keep);
      await open("new");
      await page.selectOption(input("service"), "service");
      await page.fill(input("serviceAddress"), simulator.url);
      await page.fill(input("username"), "ann");
      await page.fill(input("password"), SECRET);
      await close("ok");
      await editor.deploy();

      await open("new");
      assert.equal(await page.inputValue(input("username")), "ann");
      assert.equal(await page.inputValue(input("password")), "__PWRD__");
      // Stored secrets go to the stored address only.
      await page.fill(input("serviceAddress"), `${simulator.url}/x`.replace("127.0.0.1", "localhost"));
      await page.click(".messaging-connection-test button");
      await page.waitForSelector(`${resultLines} .messaging-result-line-failed`);
      assert.match(await page.innerText(resultLines), /Password/);
      assert.ok(!(await page.content()).includes(SECRET));
      page.off("response", keep);
      for (const body of await Promise.all(bodies)) assert.ok(!body.includes(SECRET), "a secret came back");
      assert.ok(!nodeRed.logs().includes(SECRET));
      await close("cancel");
    });

    it("names failed checks of an undeployed draft before all others", async () => {
      const { page } = bench.editor;
      await bench.editor.showAccount("_ADD_");
      await page.selectOption(input("service"), "service");
      await page.fill(input("serviceAddress"), simulator.url);
      await page.fill(input("username"), "ann");
      await page.fill(input("password"), "wrong");
      await page.click(".messaging-connection-test button");
      await page.waitForSelector(`${resultLines} .messaging-result-line-failed`);
      const lines = (await page.locator(`${resultLines} li`).allInnerTexts()).map((line) =>
        line.replaceAll("\n", " "),
      );
      assert.equal(lines[0], "Failed: SMS sign-in.");
      assert.match(lines[1] ?? "", /^SMS sign-in: The service refused the credentials/);
      assert.match(lines.join("\n"), /^Application id: Not filled in\. WhatsApp and RCS need one/m);
      await close("cancel");
    });

    it("shows each fault below its field until it is corrected", async () => {
      const { page } = bench.editor;
      await open("new");
      await page.selectOption(input("service"), "service");
      await page.selectOption(input("legacyAuth"), "none");
      await page.fill(input("serviceAddress"), "https://api.example.com");
      await page.check(input("sendingHours"));
      assert.deepEqual(await faults(), []);
      for (const [name, wrong, right] of FAULTS) {
        for (const [typed, count] of [
          [wrong, 1],
          [right, 0],
        ] as const) {
          await page.fill(input(name), typed);
          await page.press(input(name), "Tab");
          assert.equal((await faults()).length, count, `${name}: ${typed}`);
        }
      }
      await close("ok");
    });

    it("unfolds a group with a fault", async () => {
      for (const [at, [, fault]] of WRONG.entries()) {
        await open(`wrong-${at}`, false);
        await bench.editor.page.waitForSelector(input("mobileOnly"));
        assert.match((await faults()).join(), fault);
        await close("cancel");
      }
    });

    it("takes countries by name or code, and removes them by mouse and keyboard", async () => {
      const { editor } = bench;
      const { page } = editor;
      const adding = "#messaging-account-add-country";
      const chips = (): Promise<string[]> => page.locator(`${form} .messaging-chips li`).allInnerTexts();
      await open("new");
      await page.selectOption("#messaging-account-countries", "listed");
      assert.match((await faults()).join(), /at least one country/i);
      for (const typed of ["switzerland", "GG", "Germany", "de", "AT"]) {
        await page.fill(adding, typed);
        await page.press(adding, "Enter");
      }
      assert.deepEqual(await chips(), ["Switzerland", "Guernsey", "Germany", "Austria"]);
      assert.match(await summary(), /^4 countries · /);
      await page.click(`${form} button[aria-label="Remove Switzerland"]`);
      await page.keyboard.press("Enter");
      assert.deepEqual(await chips(), ["Germany", "Austria"]);
      await close("ok");
      assert.deepEqual(await editor.held("new", ["allowedCountries"]), { allowedCountries: "DE,AT" });
    });

    it("chooses sending hours by the keyboard, and keeps them", async () => {
      const { editor } = bench;
      const { page } = editor;
      const day = (name: string): string => `${form} .messaging-sending-days input[value=${name}]`;
      await open("new");
      await page.focus(input("sendingHours"));
      await page.keyboard.press("Space");
      await page.waitForSelector(input("sendingFrom"));
      assert.match(await summary(), / · Mon–Fri 08:00–20:00$/);
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate("document.activeElement.value"), "mon");
      await page.keyboard.press("Space");
      await page.check(day("sun"));
      await page.check(`${form} .messaging-sending-exempt input[value=informational]`);
      assert.match(await summary(), / · Tue–Fri, Sun 08:00–20:00$/);
      await close("ok");
      const saved = {
        sendingHours: true,
        sendingDays: "tue,wed,thu,fri,sun",
        sendingExempt: "informational",
      };
      assert.deepEqual(await editor.held("new", Object.keys(saved)), saved);
    });
  },
  {
    flows: [
      EMPTY_TAB,
      { ...NEW_ACCOUNT, id: "new" },
      ...WRONG.map(([given], at) => ({ ...NEW_ACCOUNT, ...given, id: `wrong-${at}` })),
    ],
  },
);
