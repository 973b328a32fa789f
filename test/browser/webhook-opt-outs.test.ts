import assert from "node:assert/strict";
import { WEBHOOK_DEFAULTS } from "../../lib/shared/fields/webhook-defaults";
import { asSaved, pick } from "../support/editor/account-dialog";
import { EMPTY_TAB, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";

const NAMES = ["optOutWords", "stopWords", "startWords", "optOutScope"] as const;
const { optOutWords, stopWords, startWords, optOutScope } = WEBHOOK_DEFAULTS;
const NEW = { optOutWords, stopWords, startWords, optOutScope };

const WEBHOOK = {
  type: "webhook-in",
  z: EMPTY_TAB.id,
  x: 200,
  account: "account",
  outputs: 2,
  wires: [[], []],
  ...asSaved(WEBHOOK_DEFAULTS),
};

onEachEditor(
  "opt-outs of a webhook in the dialog",
  (bench) => {
    const group = "#messaging-webhook-opt-outs";
    const on = "#node-input-optOutWords";
    const stop = "#node-input-stopWords";
    const start = "#node-input-startWords";
    const scope = "#node-input-optOutScope";
    const warning = `${group} .messaging-warning`;

    const open = async (id: string): Promise<void> => {
      const { editor } = bench;
      await editor.show(id);
      await editor.page.waitForSelector(stop);
    };
    const summaryText = async (): Promise<string> =>
      (await bench.editor.page.locator(`${group} .messaging-summary`).textContent()) ?? "";
    const faults = async (): Promise<string> => (await bench.editor.faults(group)).join();
    const held = (id: string) => bench.editor.held(id, NAMES);
    /** What the editor says of the words of a node whose dialog is closed. */
    const faultsOf = (id: string): Promise<string[]> =>
      bench.editor.page.evaluate(
        `(RED.nodes.node("${id}").validationErrors ?? []).filter((each) => /words/.test(each))`,
      );

    itOnBoth("are recognised by a new one, which shows the words and is saved with them", async () => {
      const { editor, nodeRed } = bench;
      const { page } = editor;
      const id = await editor.add("webhook-in");
      await editor.show(id);
      assert.equal(await summaryText(), "stop words stop all messages");
      assert.equal(await page.isChecked(on), true);
      // What they stop is asked for beside them, without a group to unfold.
      assert.deepEqual(await Promise.all([scope, stop, start].map((each) => page.isVisible(each))), [
        true,
        true,
        true,
      ]);
      assert.deepEqual(await page.locator(`${scope} option`).allInnerTexts(), [
        "all messages",
        "advertisement only",
      ]);
      assert.deepEqual([await page.inputValue(stop), await page.inputValue(start)], [stopWords, startWords]);
      assert.equal(await page.inputValue(scope), "all");
      await editor.done();
      await editor.deploy();
      const deployed = (await nodeRed.flows()).find((node) => node.id === id);
      assert.deepEqual(pick(deployed ?? {}, NAMES), NEW);
    });

    it("can be other words, for advertisement only, or off", async () => {
      const { editor } = bench;
      const { page } = editor;
      await open("new");
      await page.fill(stop, "Ruhe, keine Werbung\nSTOP");
      await page.selectOption(scope, "advertisement");
      assert.equal(await summaryText(), "stop words stop advertisement");
      await editor.done();
      assert.deepEqual(await faultsOf("wrong"), [
        "Stop words: are missing, so nobody could opt out. Enter a word, or switch the recognition off",
      ]);
      assert.deepEqual(await held("new"), {
        ...NEW,
        stopWords: "Ruhe, keine Werbung\nSTOP",
        optOutScope: "advertisement",
      });
      await open("new");
      await page.uncheck(on);
      await page.fill(stop, "");
      await editor.done();
      assert.deepEqual(await faultsOf("new"), []);
      assert.equal((await held("new")).optOutWords, false);
    });

    it("say what is wrong with the words", async () => {
      const { page } = bench.editor;
      await open("other");
      for (const [list, words, fault] of [
        [stop, " , ", /^Are missing, so nobody could opt out/],
        [stop, "stop, !!!", /^Must not contain “!!!”: an entry needs a letter/],
        [stop, "x".repeat(101), /^Must not contain “x{40}…”: entries have at most 100/],
        [stop, "Halt", /^$/],
        [start, "go, HALT!", /^Must not contain “HALT!”, which is a stop word as well/],
      ] as const) {
        await page.fill(list, words);
        assert.match(await faults(), fault, words);
      }
      await page.uncheck(on);
      assert.equal(await faults(), "");
      await page.check(on);
      assert.match(await faults(), /HALT!/);
      await bench.editor.cancel();
    });

    it("need an account, and inbound messages", async () => {
      const { editor } = bench;
      const { page } = editor;
      await open("other");
      assert.equal(await page.isVisible(warning), false);
      await editor.cancel();
      await open("homeless");
      assert.match(await page.innerText(warning), /Choose an account/);
      await page.selectOption("#node-input-account", "account");
      await page.waitForSelector(warning, { state: "hidden" });
      await page.selectOption("#node-input-kind", "status");
      assert.equal(await page.isVisible(group), false);
      await editor.cancel();
    });

    it("unfold where a list is wrong", async () => {
      const { editor } = bench;
      await editor.show("wrong");
      await editor.page.waitForSelector(stop);
      assert.match(await faults(), /^Are missing/);
      await editor.cancel();
    });
  },
  {
    flows: [
      EMPTY_TAB,
      {
        id: "account",
        type: "messaging-account",
        service: "simulator",
        keepMessages: "memory",
        allowedCountries: "all",
      },
      { id: "new", ...WEBHOOK, y: 440 },
      { id: "other", ...WEBHOOK, y: 480 },
      { id: "homeless", ...WEBHOOK, account: "", y: 520 },
      { id: "wrong", ...WEBHOOK, stopWords: "", y: 560 },
    ],
  },
);
