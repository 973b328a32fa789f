import assert from "node:assert/strict";
import { WEBHOOK_DEFAULTS } from "../../lib/shared/fields/webhook-defaults";
import { asSaved } from "../support/editor/account-dialog";
import { EMPTY_TAB, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";

/** A webhook for statuses. */
const STATUS = {
  type: "webhook-in",
  z: EMPTY_TAB.id,
  x: 160,
  account: "account",
  outputs: 4,
  wires: [[], [], [], []],
  ...asSaved(WEBHOOK_DEFAULTS),
  kind: "status",
};

const to = (...failed: string[]) => ({ wires: [[], failed, [], []] });
const node = (id: string, type: string, more: object = {}) => ({
  id,
  type,
  z: EMPTY_TAB.id,
  name: "",
  x: 420,
  y: 100,
  wires: [[]],
  ...more,
});
const sms = (id: string, more: object = {}) =>
  node(id, "sms-send", { name: "Text them", account: "account", ...more });

onEachEditor(
  "channel of a webhook in the dialog",
  (bench) => {
    const channel = "#node-input-channel";
    const loop = "#messaging-webhook-loop";

    const open = async (id: string): Promise<void> => {
      await bench.editor.show(id);
      await bench.editor.page.waitForSelector(channel);
    };
    const evaluate = <Value>(script: string): Promise<Value> => bench.editor.page.evaluate<Value>(script);
    const loopText = async (): Promise<string> => {
      const { page } = bench.editor;
      return (await page.isVisible(loop)) ? page.innerText(loop) : "";
    };
    /** Label of the node, and of its third output. */
    const labels = (id: string): Promise<string[]> =>
      evaluate(
        `((node) => [node._def.label.call(node), node._def.outputLabels.call(node, 2)])(RED.nodes.node("${id}"))`,
      );

    itOnBoth("is that of all until somebody chooses another", async () => {
      const { editor } = bench;
      await open("plain");
      assert.equal(await editor.page.inputValue(channel), "all");
      assert.equal(await loopText(), "");
      await editor.done();
      assert.deepEqual(await labels("plain"), ["status and reports", "other status"]);
      await open("plain");
      await editor.page.selectOption(channel, "whatsapp");
      await editor.done();
      assert.equal(await evaluate(`RED.nodes.node("plain").channel`), "whatsapp");
      assert.deepEqual(await labels("plain"), ["WhatsApp: status and reports", "other status or channel"]);
    });

    it("is there for statuses only, and needs an account for WhatsApp and RCS", async () => {
      const { editor } = bench;
      const { page } = editor;
      await open("homeless");
      const warning = page.getByText("The account knows what it has sent");
      assert.equal(await warning.isVisible(), false);
      await page.selectOption(channel, "rcs");
      await warning.waitFor({ state: "visible" });
      await page.selectOption("#node-input-account", "account");
      await warning.waitFor({ state: "hidden" });
      await page.selectOption("#node-input-kind", "inbound");
      assert.equal(await page.isVisible(channel), false);
      await editor.cancel();
    });

    it("is to be chosen where what is wired to failed sends: at once, through nodes, links or a subflow", async () => {
      const { editor } = bench;
      for (const id of ["direct", "through", "linked", "inside"]) {
        await open(id);
        assert.match(await loopText(), /“failed” leads to “(Text them|Texts)”.*Choose the channel/s, id);
        await editor.page.selectOption(channel, "whatsapp");
        await editor.page.waitForSelector(loop, { state: "hidden" });
        await editor.page.selectOption(channel, "sms");
        await editor.page.waitForSelector(loop, { state: "visible" });
        assert.match(await loopText(), /sends by the channel chosen here/);
        await editor.cancel();
      }
    });

    it("need not be chosen where failed leads to no node that sends, or to a disabled one", async () => {
      for (const id of ["delivered", "off", "round"]) {
        await open(id);
        assert.equal(await loopText(), "", id);
        await bench.editor.cancel();
      }
    });
  },
  {
    flows: [
      EMPTY_TAB,
      {
        id: "account",
        type: "messaging-account",
        service: "simulator",
        keepMessages: "memory",
        allowedCountries: "all",
      },
      { id: "sub", type: "subflow", name: "Texts", in: [], out: [] },
      sms("sub-sms", { z: "sub" }),
      { id: "plain", ...STATUS, y: 100 },
      { id: "homeless", ...STATUS, account: "", y: 160 },
      { id: "direct", ...STATUS, y: 220, ...to("sms") },
      { id: "through", ...STATUS, y: 280, ...to("change") },
      { id: "linked", ...STATUS, y: 340, ...to("out") },
      { id: "inside", ...STATUS, y: 400, ...to("instance") },
      { id: "delivered", ...STATUS, y: 460, wires: [["sms"], ["debug"], ["sms"], []] },
      { id: "off", ...STATUS, y: 520, ...to("sms-off") },
      { id: "round", ...STATUS, y: 580, ...to("round-1") },
      sms("sms"),
      sms("sms-off", { d: true, y: 520 }),
      node("change", "change", { rules: [], wires: [["sms"]], y: 280 }),
      node("out", "link out", { mode: "link", links: ["in"], wires: [], y: 340 }),
      node("in", "link in", { links: ["out"], wires: [["change"]], x: 560, y: 340 }),
      node("instance", "subflow:sub", { y: 400, wires: [] }),
      node("debug", "debug", { wires: [], y: 460 }),
      node("round-1", "change", { rules: [], wires: [["round-2"]], y: 580 }),
      node("round-2", "change", { rules: [], wires: [["round-1"]], x: 640, y: 580 }),
    ],
  },
);
