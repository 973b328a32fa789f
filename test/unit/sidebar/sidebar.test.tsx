import assert from "node:assert/strict";
import { useSidebar } from "../../support/sidebar/sidebar-page";

const HANDLERS = {
  "history/search": () => ({ entries: [], next: null }),
  "queue/look": () => ({
    ...{ waiting: 0, nextDue: null, paused: 0, stranded: 0, sending: 0 },
    ...{ jobs: [], next: null, strandedJobs: [] },
  }),
  "queue/instances": () => ({ instances: null, complete: true }),
};

describe("Sidebar", () => {
  const { page } = useSidebar();

  it("moves between tabs by arrow keys and keeps the focus on the chosen tab", async () => {
    await page().show("history", HANDLERS);
    const tab = (name: string): HTMLElement => page().named(name, "[role=tab]");
    tab("History").focus();
    await page().key(tab("History"), "ArrowLeft");
    assert.equal(document.activeElement?.textContent, "Simulator");
    await page().key(tab("Simulator"), "ArrowRight");
    assert.equal(document.activeElement?.textContent, "History");
    assert.deepEqual(
      ["History", "Queue"].map((name) => [tab(name).getAttribute("aria-selected"), tab(name).tabIndex]),
      [
        ["true", 0],
        ["false", -1],
      ],
    );
  });

  it("reads only for the visible view", async () => {
    await page().show("history", HANDLERS);
    await page().until(() => page().runtime.inputsOf("history/search").length > 2);
    await page().open("queue");
    await page().sees("empty");
    const { length } = page().runtime.inputsOf("history/search");
    const looks = page().runtime.inputsOf("queue/look").length;
    await page().until(() => page().runtime.inputsOf("queue/look").length > looks + 2);
    assert.equal(page().runtime.inputsOf("history/search").length, length);
  });

  it("offers the simulator only for a simulated account, and keeps a typed search for another account", async () => {
    page().editor.nodes = [
      { id: "shop", type: "messaging-account", name: "A shop", service: "simulator" },
      { id: "live", type: "messaging-account", name: "Live", service: "service" },
    ];
    await page().show("history", HANDLERS);
    await page().type("number or name", "079");
    await page().choose("Account", "live");
    assert.equal(page().input("number or name").value, "079");
    assert.throws(() => page().named("Simulator", "[role=tab]"));
    assert.equal(page().runtime.asked.at(-1)?.account, "live");
  });

  it("says that the flows have no account, and shows one that is added", async () => {
    const { nodes } = page().editor;
    page().editor.nodes = [];
    await page().show("history", HANDLERS);
    assert.match(page().textOf(".messaging-frame"), /These flows have no enabled account/);
    page().editor.nodes = nodes;
    page().editor.emit("nodes:add");
    await page().sees("No message fits.");
  });
});
