import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { EMPTY_TAB, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";
import { allExamples } from "../support/examples";
import { ROOT } from "../support/node-red/packed-package";

const NUMBERS = 2404;

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

    itOnBoth("counts recipients with the separators of the language", async () => {
      const numbers = Array.from(
        { length: NUMBERS },
        (_, at) => `+99955500${String(at).padStart(4, "0")}`,
      ).join(",");
      const editor = await bench.editorIn("de");
      const id = await editor.add("sms-send");
      await editor.show(id);
      await editor.type("recipientAddressList", "str", numbers);
      const counts = editor.page.locator(".messaging-recipients-bar");
      await counts.filter({ hasText: "Gültig: 2.404" }).waitFor();
    });
  },
  { flows: [EMPTY_TAB] },
);
