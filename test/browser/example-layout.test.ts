import assert from "node:assert/strict";
import { allExamples, GermanExample } from "../support/examples";
import { type EditorBench, onEachEditor } from "../support/editor/on-each-editor";

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

/** px from a badge to what stands beside it. */
const GAP = 2;

/** Gives each node its badge, again where the flow has said another one meanwhile. @returns whether all are drawn */
const SHOW = `((badges) => {
  let drawn = 0;
  let all = 0;
  RED.nodes.eachNode((node) => {
    const text = node.type === "debug" && !node.tostatus ? undefined : badges[node.type];
    const element = document.getElementById(node.id);
    if (text === undefined || element === null) return;
    all++;
    const label = element.querySelector(".red-ui-flow-node-status-label");
    if (label?.textContent === text && label.getBoundingClientRect().width > 0) {
      drawn++;
      return;
    }
    node.status = { fill: "green", shape: "dot", text };
    node.dirtyStatus = true;
    node.dirty = true;
  });
  if (drawn < all) RED.view.redraw(true);
  return all > 0 && drawn === all;
})(${JSON.stringify(BADGES)})`;

/** What badges stand on, in words. */
const TOUCHING = `(() => {
  const boxes = [];
  RED.nodes.eachNode((node) => {
    const element = document.getElementById(node.id);
    for (const [what, part] of [["node", ".red-ui-flow-node"], ["badge", ".red-ui-flow-node-status-group"]]) {
      const box = element?.querySelector(part)?.getBoundingClientRect();
      if (box?.width > 0) boxes.push({ node, what, box });
    }
  });
  const touch = (one, two) => one.left - ${GAP} < two.right && two.left - ${GAP} < one.right && one.top < two.bottom && two.top < one.bottom;
  return boxes
    .filter(({ what }) => what === "badge")
    .flatMap((badge) => boxes
      .filter(({ node, box }) => node !== badge.node && touch(badge.box, box))
      .map(({ node, what }) => "the badge of " + badge.node.name + " stands on the " + what + " " + node.name));
})()`;

function layoutTests(bench: EditorBench): void {
  for (const english of allExamples().filter(({ needsPackage }) => !needsPackage)) {
    for (const example of [english, new GermanExample(english)]) {
      const language = example === english ? "English" : "German";
      it(`has room for the badges of ${english.name}, in ${language}`, async () => {
        await bench.deploy(example.flows);
        await bench.editor.renew();
        const { page } = bench.editor;
        await page.waitForFunction(SHOW);
        assert.deepEqual(await page.evaluate(TOUCHING), []);
      });
    }
  }
}

onEachEditor("the layout of examples", layoutTests);
