import assert from "node:assert/strict";
import { type EditorBench, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";

const SELECTED = "(RED.view.selection().nodes ?? []).map(({ name }) => name)";
const ACTIVE = "RED.nodes.workspace(RED.workspaces.active()).label";
/** What an import or a load has the editor do later. */
const SETTLED = "new Promise((resolve) => setTimeout(() => setTimeout(resolve)))";

function firstStepsTests(bench: EditorBench): void {
  const ask = (expression: string): Promise<unknown> => bench.editor.page.evaluate(expression);

  itOnBoth("shows the first node of an imported example, and of nothing else", async () => {
    const { editor } = bench;
    const { page } = editor;
    await ask('($("#red-ui-workspace-chart").scrollTop(3000), 0)');
    await editor.importExample("05 - WhatsApp, else SMS");
    await page.waitForFunction(`${SELECTED}.length > 0`);
    assert.deepEqual(await ask(SELECTED), ["WhatsApp, else SMS: read me"]);
    assert.equal(await ask(ACTIVE), "WhatsApp, else SMS");
    await page.waitForFunction(`(() => {
      const node = document.querySelector(".red-ui-flow-node-selected").getBoundingClientRect();
      const view = document.querySelector("#red-ui-workspace-chart").getBoundingClientRect();
      return node.top >= view.top && node.bottom <= view.bottom && node.left >= view.left && node.right <= view.right;
    })()`);

    const others = [
      { id: "others", type: "tab", label: "Of others" },
      { id: "others-debug", type: "debug", z: "others", x: 100, y: 100, wires: [] },
    ];
    await editor.import(JSON.stringify(others));
    await page.waitForFunction('RED.nodes.workspace("others") !== undefined');
    await ask(SETTLED);
    assert.equal(await ask(ACTIVE), "WhatsApp, else SMS", "a flow without a node of this package");

    await bench.deploy([
      { id: "tab", type: "tab", label: "Test" },
      { id: "sender", type: "sms-send", z: "tab", x: 200, y: 100, wires: [] },
    ]);
    await editor.showAnew();
    await ask(SETTLED);
    assert.deepEqual(await ask(SELECTED), [], "flows that were loaded");
  });

  itOnBoth(
    "opens its sidebar tab after the first deploy of a node of this package, and never again",
    async () => {
      const { editor } = bench;
      // By what is asked for: the sidebars of Node-RED 5 show several tabs at once.
      const opened = (): Promise<unknown> =>
        ask("openedTabs.filter((id) => id === 'messaging-activity').length");
      await ask(`((own) => {
      window.openedTabs = [];
      RED.sidebar.show = (id, ...more) => { openedTabs.push(id); own(id, ...more); };
      window.restoreSidebar = () => { RED.sidebar.show = own; };
    })(RED.sidebar.show)`);
      try {
        await editor.add("inject");
        await editor.deploy();
        assert.equal(await opened(), 0, "a flow without a node of this package");
        await editor.add("sms-send");
        await editor.deploy();
        await editor.page.waitForSelector(".messaging-activity", { state: "visible" });
        assert.equal(await opened(), 1);
        await editor.add("sms-send");
        await editor.deploy();
        assert.equal(await opened(), 1, "a later deploy");
      } finally {
        await ask("restoreSidebar()");
      }
    },
  );
}

onEachEditor("first steps", firstStepsTests, { sidebar: "renewed" });
