// Slow: it fills a store, and the sidebar reads results every two seconds.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { EXPORT_COLUMNS } from "../../../lib/shared/history/history";
import { readCsv } from "../../support/csv/read-csv";
import { account, inject, node, sender, str } from "../../support/editor/flow-nodes";
import { type EditorBench, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";
import { seriousFaults } from "../../support/editor/serious-faults";
import { temporaryFolder } from "../../support/node-red/packed-package";
import { fillStore, PEOPLE } from "../../support/store/fill-store";

const NEW_PERSON = "41791119999";
const STRANGER = "+41790000077";

function historyTests(bench: EditorBench): void {
  itOnBoth("shows messages in both directions as they come, and finds one", async () => {
    const folder = await temporaryFolder("history");
    await fillStore(folder, { account: "kept", node: "sender", waiting: 60 });
    await bench.deploy([
      { id: "tab", type: "tab", label: "history" },
      account("kept", { name: "A shop", keepMessages: "computer", keepTexts: true, storeFolder: folder }),
      sender("sender", "messaging-sms-send", {
        name: "Orders",
        account: "kept",
        ...str("recipientAddressList", NEW_PERSON),
      }),
      inject("begin", "sender"),
      node("hook", "messaging-webhook-in", {
        account: "kept",
        kind: "inbound",
        path: "sidebar",
        auth: "none",
        outputs: 2,
      }),
    ]);
    await bench.editor.renew();
    const { page } = bench.editor;
    const items = page.locator(".messaging-item > summary");
    const item = (hasText: string) => page.locator(".messaging-item > summary", { hasText });
    const details = page.locator(".messaging-details:has(dl)");
    await page.evaluate('RED.sidebar.show("messaging-sidebar")');
    await page.getByRole("tab", { name: "History", selected: true }).waitFor();
    await item("waiting").first().waitFor();
    assert.equal(await items.count(), 50);
    await page.getByRole("button", { name: "Show more" }).click();
    await items.nth(66).waitFor();

    await page.getByText(/All sending is stopped since/).waitFor();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.click(".red-ui-notification button.primary");
    await page.getByText("This account sends.").waitFor();
    await bench.nodeRed.inject("begin");
    await items.first().filter({ hasText: NEW_PERSON }).filter({ hasText: "sent" }).waitFor();
    await bench.nodeRed.request("POST", "/messaging-account/kept/simulator/write", {
      ...{ channel: "sms", sender: STRANGER, text: "Who are you?" },
    });
    await items.first().filter({ hasText: STRANGER }).filter({ hasText: "message received" }).waitFor();
    const refused = await fetch(`${bench.nodeRed.url}/sidebar`, { method: "POST", body: "no JSON" });
    assert.equal(refused.status, 415);
    await page.getByText(/A webhook call was refused: not application\/json \(415, 1 ×/).waitFor();

    const search = async (text: string): Promise<void> => {
      await page.getByPlaceholder("number or name").fill(text);
      await page.keyboard.press("Enter");
    };
    await search("0041 79 000 00 77");
    await page.waitForFunction('document.querySelectorAll(".messaging-item").length === 1');
    await item(STRANGER).waitFor();
    await search(PEOPLE.delivered);
    await page.waitForFunction('document.querySelectorAll(".messaging-item").length === 2');
    await items.last().focus();
    await page.keyboard.press("Enter");
    await details.locator("li", { hasText: "It was delivered." }).waitFor();
    assert.deepEqual(await seriousFaults(page, ".messaging-sidebar"), []);
    await page.keyboard.press(" ");
    await details.waitFor({ state: "detached" });

    await page.getByLabel("What the CSV file is for").selectOption("programs");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CSV" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "messages.csv");
    const [names, values = []] = readCsv(await readFile(await download.path(), "utf8"));
    assert.deepEqual(names, EXPORT_COLUMNS);
    assert.equal(values[1], `+${PEOPLE.delivered}`);
  });
}

onEachEditor("history in the sidebar", historyTests);
