import assert from "node:assert/strict";
import type { ActivityState } from "../../../lib/shared/activity";
import { Example } from "../../support/examples";
import { holdAnswer } from "../../support/editor/hold-answer";
import { type EditorBench, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";
import { waitFor } from "../../support/wait-for";

const example = new Example("10 - Auto-reply");

function sidebarTests(bench: EditorBench): void {
  const entries = ".messaging-activity-entry";

  async function show(): Promise<void> {
    const { editor, nodeRed } = bench;
    await nodeRed.request("DELETE", "/messaging-account/activity");
    await editor.page.evaluate('RED.actions.invoke("messaging:show-activity-tab")');
    await editor.page.waitForSelector(".messaging-activity", { state: "visible" });
  }
  const began = async (): Promise<void> => {
    const begin = example.flows.find(({ type }) => type === "inject");
    assert.ok(begin);
    await bench.nodeRed.inject(begin.id);
  };

  itOnBoth("shows sent messages live; a row unfolds by mouse and keyboard, and opens its node", async () => {
    await show();
    const { page } = bench.editor;
    await began();
    const entry = page.locator(entries, { hasText: /sent/ }).first();
    await entry.waitFor();
    const text = await entry.innerText();
    assert.match(text, /simulated/i);
    assert.match(text, /\+?\d+…\d+/, "the number is not masked");
    assert.match(await page.innerText(".messaging-activity-chips"), /[1-9]\d*\s*sent/);
    await entry.click();
    // Not by its place or words: messages go on coming, and a delivery changes its row.
    const opened = page.locator(`${entries}[aria-expanded="true"]`);
    await opened.waitFor();
    const details = page.locator(".messaging-activity-item.open .messaging-activity-details");
    await details.getByText("2000").waitFor();
    assert.match(await details.innerText(), /\+\d{7,}/, "the full number is not there");
    await page.keyboard.press("Enter");
    await opened.waitFor({ state: "detached" });
    assert.equal(await details.count(), 0);
    await page.keyboard.press("Space");
    await details.getByRole("button", { name: "Open the node" }).click();
    await page.waitForSelector("#dialog-form", { state: "visible" });
    await page.locator("#node-dialog-cancel").click();
  });

  itOnBoth("leaves a click to what is pressed while news come, and has one scrollbar", async () => {
    await show();
    const { page } = bench.editor;
    await began();
    await page.locator(entries).nth(2).waitFor();
    const entry = page.locator(entries).first();
    // News that come while somebody presses wait until the click is over: what moves under the mouse gets none.
    const before = await page.locator(entries).count();
    await entry.hover();
    await page.mouse.down();
    const news = page.waitForResponse(
      async (answer) =>
        answer.url().includes("messaging-account/activity?") &&
        ((await answer.json()) as { entries: readonly unknown[] }).entries.length > 0,
    );
    await began();
    await news;
    await page.mouse.up();
    await page.locator(entries).nth(before).waitFor();
    // Of whichever row: late events of the flow may have moved another one under the mouse before it was pressed.
    await page.locator(".messaging-activity-item.open .messaging-activity-details").waitFor();
    const input = page.locator(".messaging-activity-search input");
    await input.fill("no such word");
    // The search box of Node-RED listens to keys.
    await input.press("End");
    await page.getByText("None of the latest 500 entries").waitFor();
    const scrollers = await page.evaluate(
      `[...document.querySelectorAll(".messaging-activity, .messaging-activity-entries, .messaging-activity-entries *")]
        .filter((each) => ["auto", "scroll"].includes(getComputedStyle(each).overflowY)).length`,
    );
    assert.equal(scrollers, 1);
  });

  it("leaves the focus on a send in progress, and counts down in it", async () => {
    await show();
    const { page } = bench.editor;
    const poll = /messaging-account\/activity\?/;
    let done = 0;
    await page.route(poll, async (route) => {
      const response = await route.fetch();
      const state = (await response.json()) as ActivityState;
      const send = { id: 1, node: "x", template: null, since: 0, total: 100, done, simulated: true };
      await route.fulfill({ response, json: { ...state, running: [send], runningCount: 1 } });
    });
    const polled = async (ended: number): Promise<void> => {
      done = ended;
      await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
      await page.locator(".messaging-activity-run", { hasText: `${100 - done} remaining` }).waitFor();
    };
    await polled(1);
    await page.locator(".messaging-activity-run").focus();
    await polled(2);
    assert.match(await page.evaluate<string>("document.activeElement.className"), /activity-run$/);
    await page.unroute(poll);
  });

  itOnBoth("counts equal refusals in one row, which leaves the messages where they are", async () => {
    await show();
    const { page } = bench.editor;
    await began();
    await page.locator(entries).first().waitFor();
    const hook = example.flows.find(({ type }) => type === "webhook-in");
    assert.ok(hook);
    const refused = async (): Promise<void> => {
      const answer = await fetch(`${bench.nodeRed.url}/messaging/${hook.id}`, { method: "POST" });
      assert.equal(answer.status, 401);
    };
    await refused();
    const row = page.locator(entries, { hasText: "no secret set" });
    await row.waitFor();
    await refused();
    await refused();
    await page.locator(entries, { hasText: /3 times since/ }).waitFor();
    assert.equal(await row.count(), 1);
    assert.ok((await page.locator(entries, { hasText: /sent|received/ }).count()) > 0);
  });

  itOnBoth("acts as the recipient: a reply comes in, and the flow answers it", async () => {
    await show();
    const { page } = bench.editor;
    await began();
    await page.locator(entries).first().waitFor();
    const panel = page.locator(".messaging-activity-simulator");
    if (!(await panel.locator(".messaging-activity-panel").isVisible())) {
      await panel.locator("[role=button]").first().click();
    }
    const message = panel.locator(".messaging-activity-message").first();
    await message.waitFor();
    await panel.getByRole("button", { name: "Reply as the recipient" }).first().click();
    await panel.getByRole("textbox", { name: /^reply of/ }).fill("Is it open today?");
    await page.keyboard.press("Enter");
    await page
      .locator(entries, { hasText: /received|inbound/i })
      .first()
      .waitFor();
    await page.waitForFunction(`document.querySelectorAll("${entries}").length >= 3`);
    // What the scripted recipient writes fills the list as well.
    await waitFor("the reply in the flow", async () => {
      const { messages } = await bench.nodeRed.recording();
      return messages.some(
        ({ from, msg }) =>
          from === example.id("Messages from people") && msg.payload.content === "Is it open today?",
      );
    });
  });

  it("does not show again what was cleared while an answer was on its way", async () => {
    await show();
    const { page } = bench.editor;
    const poll = /messaging-account\/activity\?/;
    await page.getByText("Nothing sent or received").waitFor();
    const held = await holdAnswer(
      page,
      poll,
      Number.POSITIVE_INFINITY,
      (answer) => (answer as ActivityState).entries.length > 2,
    );
    await began();
    // What is sent, received and replied: nothing comes later.
    await waitFor("all entries", async () => {
      const { entries: known } = (await bench.nodeRed.request(
        "GET",
        "/messaging-account/activity",
      )) as ActivityState;
      return known.length > 2;
    });
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await held.answered;
    held.letPass();
    const cleared = page.waitForResponse(poll);
    await page.click("[aria-label='Clear the list']");
    await cleared;
    await page.evaluate(`(() => {
      window.mostShown = 0;
      const count = () => { window.mostShown = Math.max(window.mostShown, document.querySelectorAll("${entries}").length); };
      new MutationObserver(count).observe(document.querySelector(".messaging-activity"), { childList: true, subtree: true });
    })()`);
    await held.release();
    assert.equal(await page.evaluate("window.mostShown"), 0);
  });

  itOnBoth("says that the list was not cleared, and continues after a lost connection", async () => {
    await show();
    const { page } = bench.editor;
    await began();
    await page.locator(entries).first().waitFor();
    await page.context().setOffline(true);
    await page.click("[aria-label='Clear the list']");
    await page.locator(".red-ui-notification", { hasText: "The list was not cleared" }).waitFor();
    await page.evaluate("RED.comms.disconnect?.()");
    await began();
    await page.context().setOffline(false);
    await bench.editor.reload();
    await page.evaluate('RED.actions.invoke("messaging:show-activity-tab")');
    await page.waitForFunction(`document.querySelectorAll("${entries}").length >= 2`);
    // What the page asked for while there was no connection.
    const { complaints } = bench.editor;
    const others = complaints.filter((each) => !each.includes("ERR_INTERNET_DISCONNECTED"));
    complaints.splice(0, complaints.length, ...others);
  });
}

onEachEditor("sidebar", sidebarTests, { flows: example.flows, sidebar: "renewed" });
