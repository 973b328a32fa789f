import assert from "node:assert/strict";
import { allExamples, GermanExample } from "../support/examples";
import { itOnBoth, onEachEditor } from "../support/editor/on-each-editor";
import type { Flows } from "../support/node-red/admin-client";

/** px between two nodes beside each other: their ports stand out by half of it. */
const GAP = 10;
/** px that the button of an inject or debug node stands out by. */
const BUTTON = 25;

/**
 * Imports flows, which the editor draws with the widths that the labels of the nodes need, and takes them away again.
 * @returns in words what stands on something else, beyond the left or upper edge, or is cut
 */
const faultsOf = (flows: Flows): string => `((flows) => {
  const before = RED.nodes.getWorkspaceOrder().slice();
  RED.nodes.import(flows);
  const faults = [];
  for (const tab of RED.nodes.getWorkspaceOrder().filter((id) => !before.includes(id))) {
    RED.workspaces.show(tab);
    RED.view.redraw(true, true);
    const called = (each) => "“" + (each.name || each.type) + "”";
    const nodes = RED.nodes.filterNodes({ z: tab }).map((node) => ({
      node,
      left: node.x - node.w / 2 - (node._def.button && node._def.align !== "right" ? ${BUTTON} : 0),
      right: node.x + node.w / 2 + (node._def.button && node._def.align === "right" ? ${BUTTON} : 0),
      top: node.y - node.h / 2,
      bottom: node.y + node.h / 2,
    }));
    const groups = RED.nodes.groups(tab).map((group) => ({
      node: group,
      left: group.x,
      right: group.x + group.w,
      top: group.y,
      bottom: group.y + group.h,
    }));
    const touch = (one, two, gap) =>
      one.left < two.right + gap && two.left < one.right + gap && one.top < two.bottom && two.top < one.bottom;
    for (const each of [...nodes, ...groups]) {
      if (each.left < 0 || each.top < 0) faults.push(called(each.node) + " stands beyond the edge, by " + Math.min(each.left, each.top));
    }
    nodes.forEach((one, at) => {
      for (const two of nodes.slice(at + 1)) {
        if (touch(one, two, ${GAP})) {
          const over = Math.min(one.right - two.left, two.right - one.left);
          faults.push(called(one.node) + " has no room beside " + called(two.node) + ": " + over);
        }
      }
      for (const group of groups) {
        if (one.node.g !== group.node.id && touch(one, group, 0)) faults.push(called(one.node) + " stands in the group " + called(group.node));
      }
    });
    groups.forEach((one, at) => {
      for (const two of groups.slice(at + 1)) {
        if (!one.node.g && !two.node.g && touch(one, two, 0)) faults.push("The group " + called(one.node) + " stands on " + called(two.node));
      }
      const title = document.getElementById("group_select_" + one.node.id)?.querySelector("text") ??
        document.getElementById(one.node.id)?.querySelector("text");
      if (title === null || title === undefined) faults.push(called(one.node) + " has no title");
      else if (title.getBBox().width > one.right - one.left) faults.push("The title " + called(one.node) + " is wider than its group");
    });
  }
  RED.nodes.clear();
  RED.history.clear();
  RED.nodes.dirty(false);
  return faults;
})(${JSON.stringify(flows)})`;

onEachEditor("nodes of examples", (bench) => {
  const examples = allExamples().filter(({ needsPackage }) => !needsPackage);
  for (const locale of ["en-US", "de"] as const) {
    itOnBoth(`have room beside each other, with the labels of ${locale}`, async function () {
      // Some seconds, but all examples are drawn, and a busy computer takes its time.
      this.timeout(180_000);
      const { page } = await bench.editorIn(locale);
      const faults: string[] = [];
      for (const english of examples) {
        const example = locale === "de" ? new GermanExample(english) : english;
        const found = (await page.evaluate(faultsOf(example.flows))) as readonly string[];
        faults.push(...found.map((fault) => `${english.name.slice(0, 2)}: ${fault}`));
      }
      await bench.editor.showAnew();
      assert.deepEqual(faults, []);
    });
  }
});
