import assert from "node:assert/strict";
import { NEW_ACCOUNT } from "../support/editor/account-dialog";
import { type EditorBench, EMPTY_TAB, onEachEditor } from "../support/editor/on-each-editor";
import { waitFor } from "../support/wait-for";

const ADA = "+999555000001";
const CARLA = "+999555000003";
const EVE = "+999555000005";
const TABLE = `name,mobile\nAda,${ADA}\nCarla,${CARLA}\nEve,${EVE}\nDan,12\n`;

/** The ten steps of docs/conversations.md, *YES or NO, and a reminder*, with a shorter time. */
function reminderTests(bench: EditorBench): void {
  it("are right: who answers in other words is called, and only who is silent is asked again", async () => {
    const { editor, nodeRed, simulator, statuses } = bench;
    const { page } = editor;
    const set = (id: string, values: object): Promise<unknown> =>
      page.evaluate(`Object.assign(RED.nodes.node("${id}"), ${JSON.stringify(values)}, { changed: true })`);
    const wire = (source: string, port: number, target: string): Promise<unknown> =>
      page.evaluate(
        `RED.nodes.addLink({ source: RED.nodes.node("${source}"), sourcePort: ${port}, target: RED.nodes.node("${target}") })`,
      );
    const ids = (type: string): Promise<readonly string[]> =>
      page.evaluate(`RED.nodes.filterNodes({ type: "${type}" }).map(({ id }) => id)`);

    // 1 to 4.
    const [inject, template, csv, sms, wait] = [
      await editor.add("inject"),
      await editor.add("template"),
      await editor.add("csv"),
      await editor.add("sms-send"),
      await editor.add("message-wait"),
    ];
    await wire(inject, 0, template);
    await wire(template, 0, csv);
    await wire(csv, 0, sms);
    for (const port of (await editor.ports(sms)).keys()) await wire(sms, port, wait);
    await set(template, { syntax: "plain", template: TABLE });
    await editor.show(csv);
    await page.check("#node-input-hdrin");
    await page.selectOption("#node-input-multi", "mult");
    await editor.done();
    await editor.show(sms);
    await editor.type("recipientAddressList", "msg", "payload");
    await editor.type("messageContent", "str", "Dear {{name}}, will you come? Please answer YES or NO.");
    await editor.done();

    // 5.
    await editor.show(wait);
    await page.selectOption("#node-input-kind", "reply");
    await editor.type("within", "str", "6s");
    await page.selectOption("#node-input-match", "start");
    await page.check("#node-input-perWord");
    assert.equal(
      await page.locator("#node-input-others option:checked").innerText(),
      "leave by the last output – the question is over",
    );
    await page.click("#messaging-wait-add-webhook");
    await editor.done();
    const ends = ["YES", "NO", "failed", "nothing heard in time", "other reply"];
    assert.deepEqual(await editor.ports(wait), ends);

    // 6 and 7.
    await page.evaluate(`(() => {
      RED.view.select({ nodes: ["${sms}", "${wait}"].map((id) => RED.nodes.node(id)) });
      RED.actions.invoke("core:copy-selection-to-internal-clipboard");
      RED.actions.invoke("core:paste-from-internal-clipboard");
    })()`);
    await page.mouse.click(700, 500);
    const [sms2 = "", wait2 = ""] = [
      (await ids("sms-send")).find((id) => id !== sms),
      (await ids("message-wait")).find((id) => id !== wait),
    ];
    await wire(wait, 3, sms2);
    await editor.show(sms2);
    await editor.type(
      "messageContent",
      "str",
      "Dear {{name}}, we have not heard from you. Please answer YES or NO.",
    );
    await editor.done();
    assert.deepEqual(
      await editor.wires(sms2),
      [0, 1, 2, 3].map((port) => `${port} ${wait2}`),
    );
    assert.deepEqual(await editor.ports(wait2), ends);

    // 8.
    const [comes, not, call] = [
      await editor.add("debug"),
      await editor.add("debug"),
      await editor.add("debug"),
    ];
    for (const each of [wait, wait2]) {
      await wire(each, 0, comes);
      await wire(each, 1, not);
      await wire(each, 2, call);
      await wire(each, 4, call);
    }
    await wire(wait2, 3, call);
    for (const id of [comes, not, call]) await set(id, { complete: "true", targetType: "full" });

    // 9 and 10.
    await editor.deploy();
    assert.deepEqual(await editor.invalid(), []);
    await nodeRed.clearRecording();
    await nodeRed.inject(inject);
    const says = async (to: string): Promise<readonly unknown[]> =>
      (await nodeRed.recording()).messages
        .filter((each) => each.to === to)
        .map(({ msg }) => [msg.payload.name, msg.wait?.text]);
    const write = (sender: string, content: string): Promise<unknown> =>
      nodeRed.request("POST", "/messaging-account/account/simulator/write", {
        channel: "sms",
        sender,
        text: content,
      });
    await statuses.waitFor(wait, ({ text }) => text === "waiting for 3 · 1 failed");
    await write(ADA, "YES");
    await write(CARLA, "maybe, call me");
    await statuses.waitFor(wait2, ({ text }) => text === "waiting for 1");
    await write(EVE, "Yes, sorry");
    await waitFor("Eve's answer", async () => (await says(comes)).length === 2);
    assert.deepEqual(await says(comes), [
      ["Ada", "YES"],
      ["Eve", "Yes, sorry"],
    ]);
    assert.deepEqual(await says(call), [
      ["Dan", null],
      ["Carla", "maybe, call me"],
    ]);
    assert.deepEqual(await says(not), []);
    const texts = (await simulator.messages("account")).map(
      ({ recipients, content }) => `${recipients} ${content}`,
    );
    assert.equal(texts.length, 4);
    assert.deepEqual(
      texts.filter((text) => /not heard/.test(text)),
      [`${EVE.slice(1)} Dear Eve, we have not heard from you. Please answer YES or NO.`],
    );
    await statuses.waitFor(wait2, ({ text }) => text === "1 replied");
    // Eve's answer is that to the second question, and not late for the first one.
    assert.equal(statuses.latest(wait)?.text, "1 failed · 1 replied · 1 other · 1 nothing heard");
  });
}

onEachEditor("the ten steps of a reminder", reminderTests, {
  flows: [EMPTY_TAB, { ...NEW_ACCOUNT, id: "account", name: "Demo", keepMessages: "memory" }],
});
