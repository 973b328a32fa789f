import assert from "node:assert/strict";
import { accountDialog, input, NEW_ACCOUNT, pick, without } from "../../support/editor/account-dialog";
import { EMPTY_TAB, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";

const LIMITS = ["limitHour", "limitDay", "limitNumberHour", "limitNumberDay", "limitAction", "stopSending"];
const PROTECTION = ["allowedCountries", "mobileOnly", "noPremiumNumbers", "skippedErrors"];
const HOURS = [
  "sendingHours",
  "sendingDays",
  "sendingFrom",
  "sendingTo",
  "sendingBy",
  "sendingAction",
  "sendingExempt",
  "timeZone",
];
const SECTIONS = [...LIMITS, ...PROTECTION, ...HOURS];

/** As a flow may have it that was written by hand. */
const LACKING = without(NEW_ACCOUNT, SECTIONS);
const SAVED = {
  ...NEW_ACCOUNT,
  limitHour: "100",
  limitDay: "500",
  limitNumberHour: "2",
  limitNumberDay: "3",
  limitAction: "refuse",
  stopSending: true,
  allowedCountries: "AT,JE",
  mobileOnly: false,
  noPremiumNumbers: false,
  skippedErrors: true,
  sendingHours: true,
  sendingDays: "mon,tue,wed,sat",
  sendingFrom: "09:30",
  sendingTo: "24:00",
  sendingBy: "account",
  sendingAction: "refuse",
  sendingExempt: "informational",
  timeZone: "Asia/Kathmandu",
};

/** What is wrong with an account, and what its dialog says, whose group unfolds. */
const WRONG = [
  [{ limitDay: "0" }, /must be from 1/i],
  [{ allowedCountries: "" }, /at least one country/i],
  [{ ...pick(SAVED, HOURS), sendingDays: "" }, /at least one day/i],
] as const;

onEachEditor(
  "protection, limits and hours of an account in the dialog",
  (bench) => {
    const { form, group, open, close, summary, faults } = accountDialog(bench);
    const shown = (names: readonly string[]): Promise<readonly unknown[]> =>
      Promise.all(
        names.map((name) =>
          bench.editor.page.evaluate(
            `((input) => input.attr("type") === "checkbox" ? input.prop("checked") : input.val())($("${input(name)}"))`,
          ),
        ),
      );

    itOnBoth("are those of a new account, folded and summed up, and are saved with it", async () => {
      const { editor, nodeRed } = bench;
      const { page } = editor;
      await editor.show(await editor.add("sms-send"));
      await bench.editor.showAccount();
      assert.equal(await page.isVisible(input("mobileOnly")), false);
      assert.equal(await summary(), "all countries · SMS to mobiles only · no premium numbers");
      await close("ok");
      await editor.done();
      await editor.deploy();
      const deployed = (await nodeRed.flows()).find(
        ({ type, name }) => type === "messaging-account" && name === "",
      );
      assert.deepEqual(pick(deployed ?? {}, SECTIONS), pick(NEW_ACCOUNT, SECTIONS));
    });

    itOnBoth("are those of a new account where one lacks them, which is no change of it", async () => {
      const { editor } = bench;
      assert.equal(
        await editor.page.evaluate("RED.nodes.dirty() || RED.nodes.node('lacking').changed === true"),
        false,
      );
      for (const [id, values] of [
        ["lacking", NEW_ACCOUNT],
        ["new", NEW_ACCOUNT],
        ["saved", SAVED],
      ] as const) {
        await open(id);
        assert.deepEqual(await shown(SECTIONS), Object.values(pick(values, SECTIONS)), id);
        assert.deepEqual(await faults(), [], id);
        await close("ok");
        assert.deepEqual(await editor.held(id, SECTIONS), pick(values, SECTIONS), id);
        assert.deepEqual(await editor.changes(), [], id);
      }
      await open("lacking");
      await editor.page.uncheck(input("mobileOnly"));
      await close("ok");
      assert.deepEqual(await editor.changes(), ["mobileOnly"]);
    });

    it("are summed up as they are saved, and stay folded", async () => {
      const { page } = bench.editor;
      await open("saved", false);
      assert.equal(await page.isVisible(input("mobileOnly")), false);
      assert.equal(
        await summary(),
        [
          "Austria, Jersey · all types of numbers · at most 100 per hour · at most 500 per day · 2 per hour to one number",
          "3 per day to one number · sending stopped · Mon–Wed, Sat 09:30–24:00",
        ].join(" · "),
      );
      await page.click(`${group} > summary`);
      assert.equal(await page.isVisible(`${group} > summary .messaging-summary`), false);
      await close("cancel");
    });

    it("unfold where they are wrong", async () => {
      for (const [at, [, fault]] of WRONG.entries()) {
        await open(`wrong-${at}`, false);
        await bench.editor.page.waitForSelector(input("mobileOnly"));
        assert.match((await faults()).join(), fault);
        await close("cancel");
      }
    });

    it("are in German in a German editor", async () => {
      const { page } = await bench.editorIn("de");
      await open("saved", false);
      assert.match(
        await summary(),
        /^Österreich, Jersey · alle Arten von Nummern .* · Mo–Mi, Sa 09:30–24:00$/,
      );
      await page.click(`${group} > summary`);
      const text = await page.innerText(group);
      for (const label of [
        "Schutz",
        "Erlaubte Länder",
        "Nur Mobilnummern",
        "Sendezeiten",
        "Mo",
        "auch samstags senden",
        "Zeitzone",
      ]) {
        assert.ok(text.includes(label), label);
      }
      const monday = `${form} .messaging-sending-days input[value=mon]`;
      assert.equal(await page.getAttribute(monday, "aria-label"), "Montag");
      await page.fill("#messaging-account-add-country", "Deutschland");
      await page.press("#messaging-account-add-country", "Enter");
      assert.deepEqual(await page.locator(`${form} .messaging-chips li`).allInnerTexts(), [
        "Österreich",
        "Jersey",
        "Deutschland",
      ]);
      await close("cancel");
    });
  },
  {
    flows: [
      EMPTY_TAB,
      { ...LACKING, id: "lacking" },
      { ...NEW_ACCOUNT, id: "new" },
      { ...SAVED, id: "saved" },
      ...WRONG.map(([given], at) => ({ ...NEW_ACCOUNT, ...given, id: `wrong-${at}` })),
    ],
  },
);
