import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
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
  },
  { flows: [EMPTY_TAB] },
);
