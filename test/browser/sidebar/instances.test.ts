import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import type { QueueInstance, QueueInstances } from "../../../lib/shared/history/history";
import { account, sender } from "../../support/editor/flow-nodes";
import { type EditorBench, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";
import { temporaryFolder } from "../../support/node-red/packed-package";
import { seriousFaults } from "../../support/editor/serious-faults";
import { tooWideWhenNarrow } from "../../support/editor/too-wide-when-narrow";

const MINUTE = 60_000;
const ROUTE = "**/messaging-account/kept/queue/instances";

const one = (given: Partial<QueueInstance>): QueueInstance => ({
  host: "node-red-1",
  process: 7,
  mine: false,
  state: "alive",
  startedAt: new Date(Date.now() - 90 * MINUTE).toISOString(),
  quietFor: 2_400,
  sending: 0,
  taken: 0,
  ...given,
});
/** As several Node-REDs with one store are: one that runs here, one that was stopped by its system, and one that is gone. */
const THREE: readonly QueueInstance[] = [
  one({ mine: true, sending: 3, taken: 1_200 }),
  one({ host: "node-red-2.a-long-name.of-a-data-centre.example.com", state: "silent", quietFor: 25_000 }),
  one({ host: "node-red-2", process: 8, state: "ended", quietFor: 12 * MINUTE, taken: 2 }),
];

function instancesTests(bench: EditorBench): void {
  const part = (page: Page): Locator => page.locator(".messaging-history-instances");
  const rows = (page: Page): Locator => page.locator(".messaging-history-instance");
  const open = (page: Page): Promise<void> => part(page).locator("[role=button]").click();
  let asked = 0;

  afterEach(() => bench.editor.page.unroute(ROUTE));

  /**
   * Shows the history of an account, with the Node-REDs that `answer` has.
   * @param answer null: what the runtime says
   */
  async function show(answer: (() => QueueInstances | { error: string }) | null): Promise<Page> {
    await bench.deploy([
      { id: "tab", type: "tab", label: "instances" },
      account("kept", { keepMessages: "computer", storeFolder: await temporaryFolder("instances") }),
      sender("sender", "sms-send", { account: "kept" }),
    ]);
    await bench.editor.renew();
    const { page } = bench.editor;
    asked = 0;
    await page.route(ROUTE, (route) => {
      asked++;
      return answer === null ? route.continue() : route.fulfill({ json: answer() });
    });
    await page.evaluate('RED.actions.invoke("messaging:show-history-tab")');
    await page.locator(".messaging-part-summary", { hasText: "empty" }).waitFor();
    return page;
  }
  const textsOf = async (page: Page): Promise<readonly string[]> =>
    (await rows(page).allInnerTexts()).map((text) => text.replace(/\s+/g, " "));

  it("are not shown of an account that has its messages on this computer", async () => {
    const answered = bench.editor.page.waitForResponse(ROUTE);
    const page = await show(null);
    assert.deepEqual(await (await answered).json(), { instances: null, complete: true });
    assert.equal(await part(page).isVisible(), false);
    // It is not asked again, while the queue is.
    for (let looks = 0; looks < 2; looks++) {
      await page.waitForResponse("**/messaging-account/kept/queue/look");
    }
    assert.equal(asked, 1);
  });

  itOnBoth("are summed up, and listed with host, process, times, load and state", async () => {
    const page = await show(() => ({ instances: THREE, complete: true }));
    await part(page)
      .locator(".messaging-part-summary", { hasText: /^1 alive · 1 silent · 1 ended$/ })
      .waitFor();
    assert.equal(await rows(page).first().isVisible(), false);
    await open(page);
    await rows(page).first().waitFor();
    const [mine = "", silent = "", ended = ""] = await textsOf(page);
    assert.match(
      mine,
      /^node-red-1 this one process 7 · since [\d:./, APM]+ alive, last sign of life 2 s ago requests being sent: 3 · messages not done: 1,200$/,
    );
    assert.match(
      silent,
      /centre\.example\.com process 7 .* silent, last sign of life 25 s ago nothing to do for/,
    );
    assert.match(ended, /process 8 · since .* ended 12 min ago messages not done: 2$/);
    assert.equal(await page.getByText("this one", { exact: true }).count(), 1);
    assert.match(await part(page).innerText(), /A silent Node-RED sends nothing after half a minute\./);
  });

  it("follow what changes, and are not shown as known while the store is away", async () => {
    let answer: QueueInstances | { error: string } = { instances: THREE, complete: true };
    const page = await show(() => answer);
    await open(page);
    await rows(page).nth(2).waitFor();
    answer = { instances: [one({ taken: 5_000 }), one({ mine: true, host: "b" })], complete: false };
    await page.getByText("messages not done: at least 5,000").waitFor();
    assert.match((await textsOf(page))[1] ?? "", /not counted: the queue is too long$/);
    answer = { error: "store", message: "The database does not answer." } as { error: string };
    await part(page)
      .locator(".messaging-part-summary", { hasText: /^not known$/ })
      .waitFor();
    assert.equal(await rows(page).count(), 0);
    assert.match(await part(page).innerText(), /The database does not answer\./);
    answer = { instances: [one({ mine: true })], complete: true };
    await part(page)
      .locator(".messaging-part-summary", { hasText: /^1 alive$/ })
      .waitFor();
  });

  it("fit into a narrow sidebar, and have no serious fault for screen readers", async () => {
    const page = await show(() => ({ instances: THREE, complete: true }));
    await part(page).locator("[role=button]").focus();
    await page.keyboard.press("Enter");
    await rows(page).first().waitFor();
    assert.deepEqual(await seriousFaults(page, ".messaging-sidebar"), []);
    assert.deepEqual(
      await tooWideWhenNarrow(page, ".messaging-history", ".messaging-history-instances *"),
      [],
    );
  });
}

onEachEditor("Node-REDs in the sidebar", instancesTests);
