import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { account, sender } from "../../support/editor/flow-nodes";
import { type EditorBench, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";
import { seriousFaults } from "../../support/editor/serious-faults";
import type { Flows } from "../../support/node-red/admin-client";
import { temporaryFolder } from "../../support/node-red/packed-package";
import { fillStore } from "../../support/store/fill-store";
import { tooWideWhenNarrow } from "../../support/editor/too-wide-when-narrow";

/** Of these, three have no node. */
const WAITING = 15;

/** One for each test: a Node-RED remembers the places of an account. */
let accounts = 0;

/** @param keeping where the account keeps messages */
const flowsOf = (id: string, keeping: object): Flows => [
  { id: "tab", type: "tab", label: "history" },
  account(id, { name: "A shop", ...keeping }),
  sender("sender", "sms-send", { name: "Orders", account: id }),
];

function formerPlaceTests(bench: EditorBench): void {
  const notice = ".messaging-history-former";

  /** Shows the history of an account that kept its messages in another folder before. @returns that folder too */
  async function show(
    keeping: object = {},
    locale?: "de",
  ): Promise<{ readonly page: Page; readonly file: string }> {
    const id = `kept-${++accounts}`;
    const folder = await temporaryFolder("former");
    const [before, after] = [join(folder, "before"), join(folder, "after")];
    await fillStore(before, { account: id, node: "sender", waiting: WAITING - 3 });
    await bench.deploy(flowsOf(id, { keepMessages: "computer", storeFolder: before }));
    await bench.deploy(flowsOf(id, { keepMessages: "computer", storeFolder: after, ...keeping }));
    // Until then a person had stopped it, which comes along to another place.
    await bench.nodeRed.request("POST", `/messaging-account/${id}/sending/go-on`, {});
    const editor = locale === undefined ? bench.editor : await bench.editorIn(locale);
    await editor.renew();
    await editor.page.evaluate('RED.actions.invoke("messaging:show-history-tab")');
    await editor.page.locator(notice).waitFor();
    return { page: editor.page, file: join(before, "messages.db") };
  }
  const queue = (page: Page, hasText: RegExp) => page.locator(".messaging-part-summary", { hasText });

  itOnBoth("says what waits in the former place, and brings it here when that is confirmed", async () => {
    const { page, file } = await show();
    assert.ok(
      (await page.innerText(notice)).includes(`${WAITING} messages wait in the former place (${file}).`),
    );
    const move = page.locator(`${notice} button`, { hasText: "Move here and send…" });
    await move.click();
    const question = page.locator(".red-ui-notification", {
      hasText: `Move messages here and send them: ${WAITING}?`,
    });
    await question.locator("button", { hasText: "Leave it as it is" }).click();
    await queue(page, /empty/).waitFor();
    await move.click();
    let go = (): void => {};
    const released = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route("**/queue/move", (route) => released.then(() => route.continue()), { times: 1 });
    await page.click(".red-ui-notification button.primary");
    const moving = page.locator(notice, { hasText: "Moving…" });
    await moving.waitFor();
    // Who looks away and comes back cannot move them once more.
    await page.evaluate('RED.actions.invoke("messaging:show-activity-tab")');
    const looked = page.waitForResponse("**/queue/former-places");
    await page.evaluate('RED.actions.invoke("messaging:show-history-tab")');
    await looked;
    await page.locator(notice, { hasText: `${WAITING} messages wait` }).waitFor();
    assert.deepEqual([await moving.isVisible(), await move.isVisible()], [true, false]);
    go();
    await page.locator(notice, { hasText: `Messages moved here: ${WAITING}.` }).waitFor();
    await move.waitFor({ state: "hidden" });
    // Those with a node have left.
    await queue(page, /^3 without a node$/).waitFor();
    await page.locator(".messaging-history-head", { hasText: "sent" }).first().waitFor();
  });

  it("says of an account in memory that nothing is moved there", async () => {
    const { page } = await show({ keepMessages: "memory" });
    const text = await page.innerText(notice);
    assert.match(
      text,
      new RegExp(`${WAITING} messages wait[\\s\\S]*not moved there, because a crash would lose them`),
    );
    assert.equal(await page.locator(`${notice} button`, { hasText: "Move" }).isVisible(), false);
  });

  it("is German in a German editor, fits into a narrow sidebar, and has no serious fault for screen readers", async () => {
    const { page } = await show({}, "de");
    await page.locator(notice, { hasText: `${WAITING} Nachrichten warten am früheren Ort` }).waitFor();
    assert.deepEqual(await seriousFaults(page, ".messaging-sidebar"), []);
    assert.deepEqual(await tooWideWhenNarrow(page, notice), []);
  });
}

onEachEditor("the former place of messages in the sidebar", formerPlaceTests);
