import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { account, inject, node, sender, str } from "../support/editor/flow-nodes";
import { EMPTY_TAB, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";
import { allExamples } from "../support/examples";
import { ROOT } from "../support/node-red/packed-package";

onEachEditor(
  "the editor in German",
  (bench) => {
    itOnBoth(
      "imports German examples from their folder, beside an English one, and all of it is valid",
      async () => {
        const editor = await bench.editorIn("de");
        const [first] = allExamples();
        assert.ok(first);
        await editor.importExample(first.name);
        const names = readdirSync(join(ROOT, "examples/de")).map((file) => basename(file, ".json"));
        assert.equal(names.length, allExamples().length);
        // All of them are the flows of the English ones, which are all imported elsewhere.
        for (const name of names.sort().slice(0, 2)) {
          await editor.importExample(name, "de");
        }
        assert.deepEqual(await editor.invalid(), []);
      },
    );

    itOnBoth("has the palette in German, its category too", async () => {
      const { page } = await bench.editorIn("de");
      assert.equal(await page.textContent("#red-ui-palette-header-messaging"), "Nachrichten");
      const labels = await page
        .locator("#red-ui-palette-container-messaging .red-ui-palette-label")
        .allTextContents();
      assert.deepEqual(labels.sort(), [
        "Einmalcode",
        "Medien",
        "Protokoll",
        "RCS",
        "SMS",
        "Stoppliste",
        "Webhook",
        "WhatsApp",
        "bestätigen",
        "sammeln",
        "warten",
      ]);
    });

    itOnBoth("waits for German words in a new node, and for those that an imported one has", async () => {
      const editor = await bench.editorIn("de");
      const added = await editor.add("message-wait");
      assert.deepEqual(await editor.held(added, ["words"]), { words: "JA, NEIN" });
      await editor.import(JSON.stringify([node("saved", "message-wait", { words: "OUI, NON" })]));
      const saved = await editor.page.evaluate(
        'RED.nodes.filterNodes({ type: "message-wait" }).map(({ words }) => words)',
      );
      assert.deepEqual(saved, ["JA, NEIN", "OUI, NON"]);
    });
  },
  { flows: [EMPTY_TAB] },
);

onEachEditor(
  "a failure in German",
  (bench) => {
    itOnBoth("says why in words, with the code behind them", async () => {
      await bench.nodeRed.inject("go");
      await bench.nodeRed.nextFrom("sms");
      const { page } = await bench.editorIn("de");
      await page.evaluate('RED.actions.invoke("messaging:show-activity-tab")');
      const detail = page.locator(".messaging-activity-detail", { hasText: "4031" }).first();
      await detail.waitFor();
      assert.equal(await detail.innerText(), "auf der Sperrliste (4031 RECIPIENTS_BLACKLISTED)");
    });
  },
  {
    flows: [
      EMPTY_TAB,
      account("shop"),
      sender("sms", "sms-send", {
        account: "shop",
        ...str("recipientAddressList", "+999004031"),
        wires: [[], ["end"], [], []],
      }),
      inject("go", "sms", "Hallo"),
      node("end", "debug", { active: false }),
    ],
  },
);
