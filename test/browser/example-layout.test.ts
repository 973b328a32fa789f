import assert from "node:assert/strict";
import { allExamples, GermanExample } from "../support/examples";
import { itOnBoth, onEachEditor } from "../support/editor/on-each-editor";
import type { Flows } from "../support/node-red/admin-client";

/** px between two nodes beside each other: their ports stand out by half of it. */
const GAP = 10;
/** px from a badge to what stands beside it. */
const BADGE_GAP = 2;
/** Badges of about the length that people see, by the type of their node. A debug node cuts off what is longer. */
const BADGES: Readonly<Record<string, string>> = {
  "sms-send": "1 accepted · SIMULATED",
  "whatsapp-send": "1 accepted · SIMULATED",
  "rcs-send": "1 accepted · SIMULATED",
  "message-wait": "waiting for 1, the last until 12:00",
  "message-digest": "1 group · 49 gathered · next 12:00",
  "webhook-in": "12 received · last 12:00",
  "message-log": "12 messages",
  "media-transfer": "1 downloaded · SIMULATED",
  debug: "a text which is as long as it may be",
};
/** px that the button of an inject or debug node stands out by. */
const BUTTON = 25;

interface Found {
  readonly faults: readonly string[];
  readonly shown: number;
}

/**
 * Imports flows, which the editor draws with the widths that the labels of the nodes need, and takes them away again.
 * @returns in words what stands on something else, beyond the left or upper edge, or is cut; and how many badges were shown
 */
const faultsOf = (flows: Flows): string => `((flows, badges) => {
  let shown = 0;
  const before = RED.nodes.getWorkspaceOrder().slice();
  RED.nodes.import(flows);
  const faults = [];
  for (const tab of RED.nodes.getWorkspaceOrder().filter((id) => !before.includes(id))) {
    RED.workspaces.show(tab);
    for (const node of RED.nodes.filterNodes({ z: tab })) {
      const text = node.type === "debug" && !node.tostatus ? undefined : badges[node.type];
      if (text !== undefined) Object.assign(node, { status: { fill: "green", shape: "dot", text }, dirtyStatus: true });
    }
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
    const boxOf = (node, part) => document.getElementById(node.id)?.querySelector(part)?.getBoundingClientRect();
    const drawn = nodes.flatMap(({ node }) => [
      { node, what: "node", box: boxOf(node, ".red-ui-flow-node") },
      { node, what: "badge", box: boxOf(node, ".red-ui-flow-node-status-group") },
    ]).filter(({ box }) => box?.width > 0);
    for (const badge of drawn.filter(({ what }) => what === "badge")) {
      shown++;
      for (const { node, what, box } of drawn) {
        const on = node !== badge.node && touch(badge.box, { left: box.left - ${BADGE_GAP}, right: box.right + ${BADGE_GAP}, top: box.top, bottom: box.bottom }, 0);
        if (on) faults.push("The badge of " + called(badge.node) + " stands on the " + what + " of " + called(node));
      }
    }
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
  return { faults, shown };
})(${JSON.stringify(flows)}, ${JSON.stringify(BADGES)})`;

onEachEditor("nodes and badges of examples", (bench) => {
  const examples = allExamples().filter(({ needsPackage }) => !needsPackage);
  for (const locale of ["en-US", "de"] as const) {
    itOnBoth(`have room beside each other, with the labels of ${locale}`, async function () {
      // Some seconds, but all examples are drawn, and a busy computer takes its time.
      this.timeout(180_000);
      const { page } = await bench.editorIn(locale);
      const faults: string[] = [];
      let badges = 0;
      for (const english of examples) {
        const example = locale === "de" ? new GermanExample(english) : english;
        const found = await page.evaluate<Found>(faultsOf(example.flows));
        faults.push(...found.faults.map((fault) => `${english.name.slice(0, 2)}: ${fault}`));
        badges += found.shown;
      }
      await bench.editor.showAnew();
      assert.deepEqual(faults, []);
      assert.ok(badges > examples.length, `${badges} badges were shown`);
    });
  }
});
