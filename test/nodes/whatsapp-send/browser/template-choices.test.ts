import assert from "node:assert/strict";
import type { Flows } from "../../../support/node-red/admin-client";
import { account } from "../../../support/editor/flow-nodes";
import { type EditorBench, EMPTY_TAB, onEachEditor } from "../../../support/editor/on-each-editor";

const FLOWS: Flows = [EMPTY_TAB, account("demo", { name: "Demo account" })];

function templateChoicesTests(bench: EditorBench): void {
  const inner = (name: string) =>
    bench.editor.page.locator(`.form-row:has(#node-input-${name}) .red-ui-typedInput-input`);
  const value = (name: string): Promise<unknown> =>
    bench.editor.page.evaluate(`$("#node-input-${name}").typedInput("value")`);
  const offered = () => bench.editor.page.locator(".red-ui-autoComplete-container li");
  const texts = async (): Promise<readonly string[]> => {
    await offered().first().waitFor();
    return (await offered().allInnerTexts()).map((each) => each.trim()).filter((each) => each !== "");
  };

  async function open(): Promise<void> {
    const { editor } = bench;
    const known = editor.page.waitForResponse("**/messaging-account/demo/templates");
    await editor.show(await editor.add("messaging-whatsapp-send"));
    await editor.page.selectOption("#node-input-kind", "template");
    await known;
  }

  it("offers the simulator's templates by name and language, and takes others", async () => {
    await open();
    const { page } = bench.editor;
    await inner("templateName").click();
    assert.deepEqual([...(await texts())].sort(), [
      "order_ready · English (United States) · en_US",
      "order_ready · German · de",
      "type one, or choose",
      "welcome · English (United States) · en_US",
      "welcome · German · de",
    ]);
    await offered().getByText("order_ready · German · de").click();
    assert.deepEqual([await value("templateName"), await value("templateLocale")], ["order_ready", "de"]);
    // The approved text says how many values it takes, and changes with the template until somebody pastes another.
    const approved = page.locator("#node-input-templateText");
    const german = await approved.inputValue();
    assert.match(german, /\{\{1\}\}.*\{\{2\}\}/s);
    await page.locator(".messaging-template-notes button").waitFor();

    await inner("templateName").fill("");
    await inner("templateName").pressSequentially("welc");
    await offered().first().waitFor();
    for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await page.waitForFunction('$("#node-input-templateName").typedInput("value") === "welcome"');
    assert.match(String(await value("templateLocale")), /^(de|en_US)$/);
    assert.notEqual(await approved.inputValue(), german);
    await approved.fill("My own {{1}}");
    await inner("templateName").fill("");
    await inner("templateName").click();
    await offered().getByText("order_ready · German · de").click();
    assert.equal(await approved.inputValue(), "My own {{1}}");

    // A name that begins another one stays as it was typed.
    await inner("templateName").fill("");
    await inner("templateName").pressSequentially("order");
    await offered().first().waitFor();
    await page.keyboard.press("Tab");
    await inner("templateLocale").click();
    assert.equal(await value("templateName"), "order");
    await bench.editor.cancel();
  });
}

onEachEditor("choices of templates", templateChoicesTests, { flows: FLOWS });
