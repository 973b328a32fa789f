import assert from "node:assert/strict";
import { waitFor } from "../support/wait-for";
import type { EditorBench } from "../support/editor/on-each-editor";
import { itOnBoth, onEachEditor } from "../support/editor/on-each-editor";
import { account, inject, node, sender, str } from "../support/editor/flow-nodes";
import type { SimulatorView } from "../../lib/shared/simulator-panel";

const FLOWS = [
  { id: "tab", type: "tab", label: "reports" },
  account("account", { name: "A shop" }),
  sender("sender", "sms-send", { name: "Orders", ...str("recipientAddressList", "+41791119999") }),
  // Where the new node would stand below its send node, beside the middle of this one.
  sender("near", "sms-send", { name: "A node that is near", x: 380, y: 180 }),
  node("group", "group", {
    name: "Low",
    style: { label: true },
    nodes: ["low"],
    x: 640,
    y: 240,
    w: 200,
    h: 120,
  }),
  node("low", "debug", { g: "group", x: 740, y: 320 }),
  inject("begin", "sender"),
];

function hintTests(bench: EditorBench): void {
  const heads = ".messaging-activity-entries .messaging-activity-entry";
  const details = ".messaging-activity-entries .messaging-activity-details";

  itOnBoth(
    "says where no delivery report can arrive, adds what receives them, and says it of the delivery in words",
    async () => {
      const { editor, nodeRed } = bench;
      const { page } = editor;
      await nodeRed.request("DELETE", "/messaging-account/activity");
      await page.evaluate('RED.actions.invoke("messaging:show-activity-tab")');
      const head = page.locator(heads).first();
      await nodeRed.inject("begin");
      await head.click();
      const hint = page.locator(`${details} .messaging-activity-no-report`);
      await hint.waitFor();
      assert.match(
        await hint.innerText(),
        /^No delivery report can arrive here: .* of the account “A shop \(simulator\)”/,
      );
      assert.doesNotMatch(await page.innerText(details), /says whether/);
      await hint.getByRole("button", { name: "Add a webhook-in node" }).click();
      await hint.getByText("Deploy: reports").waitFor();
      assert.deepEqual(
        await page.evaluate(
          `RED.nodes.filterNodes({ type: "webhook-in" }).map(({ account, kind, outputs, z }) => [account, kind, outputs, z])`,
        ),
        [["account", "status", 4, "tab"]],
      );
      await waitFor("a place below all others", () =>
        page.evaluate(`(() => {
          const [added] = RED.nodes.filterNodes({ type: "webhook-in" });
          const ends = RED.nodes.filterNodes({ z: "tab" })
            .filter((each) => each !== added)
            .map(({ y, h }) => y + h / 2)
            .concat(RED.nodes.groups("tab").map(({ y, h }) => y + h));
          return added.y - added.h / 2 >= Math.max(...ends) + 30;
        })()`),
      );
      await editor.deploy();
      await nodeRed.inject("begin");
      const delivered = page.locator(heads, { hasText: /SIMULATED\s*delivered\s*Orders/i });
      await delivered.click();
      await page.locator(details).nth(1).locator("dl").waitFor();
      assert.doesNotMatch(await page.locator(details).first().innerText(), /report/, "it has come");

      const { messages } = (await nodeRed.request(
        "GET",
        "/messaging-account/account/simulator",
      )) as SimulatorView;
      const path = "/messaging-account/account/simulator/status";
      await nodeRed.request("POST", path, { transferId: messages.at(-1)?.transferId, status: "failed" });
      const failed = page.locator(heads, { hasText: "not delivered" });
      await failed.waitFor();
      assert.match(await failed.innerText(), /not delivered\s*the service had accepted it\s*Orders/);
    },
  );
}

onEachEditor("where no delivery report can arrive", hintTests, { flows: FLOWS, sidebar: "renewed" });
