import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import type { QueueInstance, QueueInstances } from "../../../lib/shared/history/history";
import { account, sender } from "../../support/editor/flow-nodes";
import { type EditorBench, onEachEditor } from "../../support/editor/on-each-editor";
import { temporaryFolder } from "../../support/node-red/packed-package";
import { seriousFaults } from "../../support/editor/serious-faults";

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

  afterEach(() => bench.editor.page.unroute(ROUTE));

  /** Shows the history of an account with these Node-REDs. */
  async function show(json: QueueInstances): Promise<Page> {
    await bench.deploy([
      { id: "tab", type: "tab", label: "instances" },
      account("kept", { keepMessages: "computer", storeFolder: await temporaryFolder("instances") }),
      sender("sender", "messaging-sms-send", { account: "kept" }),
    ]);
    await bench.editor.renew();
    const { page } = bench.editor;
    await page.route(ROUTE, (route) => route.fulfill({ json }));
    await page.evaluate('RED.actions.invoke("messaging:show-history-tab")');
    await page.locator(".messaging-part-summary", { hasText: "empty" }).waitFor();
    return page;
  }
  const textsOf = async (page: Page): Promise<readonly string[]> =>
    (await rows(page).allInnerTexts()).map((text) => text.replace(/\s+/g, " "));

  it("lists each Node-RED of the store with its state and load", async () => {
    const page = await show({ instances: THREE, complete: true });
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
    assert.deepEqual(await seriousFaults(page, ".messaging-sidebar"), []);
  });
}

onEachEditor("Node-REDs in the sidebar", instancesTests);
