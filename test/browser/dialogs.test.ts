import assert from "node:assert/strict";
import { allExamples } from "../support/examples";
import { itOnBoth, onEachEditor } from "../support/editor/on-each-editor";
import { waitFor } from "../support/wait-for";

const NODES = [
  "sms-send",
  "whatsapp-send",
  "rcs-send",
  "media-transfer",
  "webhook-in",
  "webhook-ack",
  "message-log",
  "opt-out",
  "message-wait",
  "verify-code",
  "message-digest",
] as const;

/** Settings of each node whose every choice is saved, reopened and compared. */
const KINDS: Readonly<
  Partial<Record<(typeof NODES)[number], readonly [select: string, choices: readonly string[]]>>
> = {
  "whatsapp-send": ["kind", ["text", "media", "template", "broadcast"]],
  "rcs-send": ["kind", ["text", "file", "audio", "location", "card", "carousel", "raw"]],
  "media-transfer": ["kind", ["download", "upload", "attachment"]],
  "webhook-in": ["kind", ["inbound", "status"]],
  "webhook-ack": ["answer", ["acknowledge", "redeliver", "error"]],
  "message-log": ["kind", ["id", "number", "search", "report", "conversation", "state"]],
  "opt-out": ["kind", ["add", "remove", "check", "list", "import"]],
  "message-wait": ["kind", ["delivered", "read", "reply"]],
  "verify-code": ["kind", ["make", "check"]],
  "message-digest": ["first", ["now", "wait"]],
};

/** Fields that each kind of a node has at least. */
const LEAST: Readonly<Partial<Record<(typeof NODES)[number], number>>> = {
  "sms-send": 12,
  "whatsapp-send": 4,
  "rcs-send": 3,
  "media-transfer": 2,
  "message-log": 1,
  "opt-out": 1,
  "message-wait": 1,
  "verify-code": 3,
  "message-digest": 1,
};

const PACKAGE = "@messaging-service/node-red-messaging";

/** Palette labels of this package that the editor breaks into lines. */
const BROKEN_LABELS = `[...document.querySelectorAll(".red-ui-palette-node")]
  .filter((node) => ${JSON.stringify(NODES)}.includes(node.dataset.paletteType))
  .map((node) => node.querySelector(".red-ui-palette-label"))
  .filter((label) => label.querySelector("br") !== null)
  .map((label) => label.innerText)`;

onEachEditor("dialogs", (bench) => {
  for (const locale of ["en-US", "de"] as const) {
    itOnBoth(`stand in the palette with labels of one line (${locale})`, async () => {
      const { page } = await bench.editorIn(locale);
      assert.deepEqual(await page.evaluate(BROKEN_LABELS), []);
      assert.equal(await page.locator(".red-ui-palette-node[data-palette-type='sms-send']").count(), 1);
    });
  }

  itOnBoth("a node is dragged out of the palette, and its dialog opens by a double click", async () => {
    const { editor } = bench;
    const id = await editor.drag("sms-send");
    await editor.edit(id);
    await editor.page.fill("#node-input-name", "dragged");
    await editor.done();
    assert.equal(await editor.page.evaluate(`RED.nodes.node("${id}").name`), "dragged");
  });

  for (const type of NODES) {
    itOnBoth(`${type} keeps what is filled in`, async () => {
      const { editor } = bench;
      const id = await editor.add(type);
      const [select, choices] = KINDS[type] ?? [null, [""]];
      const choose = async (choice: string): Promise<void> => {
        if (select !== null) await editor.page.selectOption(`#node-input-${select}`, choice);
      };
      await editor.show(id);
      await editor.page.fill("#node-input-name", `my ${type}`);
      for (const choice of choices) {
        await choose(choice);
        const filled = await editor.fillFields();
        assert.ok(filled >= (LEAST[type] ?? 0), `only ${filled} fields to fill in`);
        const text = await editor.page.innerText("#dialog-form");
        assert.doesNotMatch(text, new RegExp(`${type}\\.|messaging-account[.:]`), "a raw key is shown");
      }
      // The number of outputs follows the kind when the dialog is saved.
      const { "node-input-outputs": _before, ...kept } = await editor.values();
      await editor.done();
      await editor.show(id);
      // Fields of a kind have inputs from the moment it is chosen; the last one is chosen already.
      const last = choices.at(-1) ?? "";
      if (select !== null) assert.equal((await editor.values())[`node-input-${select}`], last);
      for (const choice of choices) {
        await choose(choice);
        await editor.openGroups();
      }
      const { "node-input-outputs": _after, ...found } = await editor.values();
      assert.equal(found["node-input-name"], `my ${type}`);
      assert.deepEqual(found, kept);
      await editor.done();
    });
  }

  itOnBoth("webhook-in has a random secret, which the dialog shows on request", async () => {
    const { editor, nodeRed } = bench;
    const { page } = editor;
    const url = (): Promise<string> => page.inputValue("#messaging-webhook-url");
    const id = await editor.add("webhook-in");
    await editor.show(id);
    const address = await url();
    assert.match(address, new RegExp(`^${nodeRed.url}/messaging/${id}\\?secret=[\\w-]{32}$`));
    assert.equal(await page.isVisible("#messaging-webhook-stored-secret"), false);
    await editor.done();
    await editor.deploy();
    // The editor hears of the deploy before the flows run.
    await waitFor("an answer of the webhook", async () => {
      const headers = { "content-type": "application/json" };
      const { status } = await fetch(address, { method: "POST", headers, body: "{}" });
      return status === 200;
    });
    await editor.show(id);
    const secret = new URL(address).searchParams.get("secret") ?? "";
    assert.match(await url(), new RegExp(`/messaging/${id}\\?secret=•+$`));
    assert.equal(await page.isVisible("#messaging-webhook-stored-secret"), true);
    const known = await page.evaluate(`JSON.stringify(RED.nodes.node("${id}").credentials)`);
    assert.equal(String(known).includes(secret), false);
    await page.click("#messaging-webhook-test");
    await page.waitForSelector("#messaging-webhook-result .messaging-good");
    assert.match(await page.innerText("#messaging-webhook-result"), /passed all checks/);
    await page.fill("#node-input-allowedAddresses", "10.0.0.0/33");
    await page.waitForSelector(".messaging-fault");
    assert.match(await page.innerText(".messaging-fault"), /10\.0\.0\.0\/33.*neither an address/);
    await page.fill("#node-input-allowedAddresses", "");
    await page.evaluate(
      "document.addEventListener('copy', () => { window.copied = document.activeElement.value; })",
    );
    await page.click("#messaging-webhook-copy");
    await page.waitForFunction(`window.copied === ${JSON.stringify(address)}`);
    assert.equal(await url(), address);
    await editor.done();
    await editor.show(id);
    await page.click("#messaging-webhook-new-secret");
    await page.waitForFunction(`/secret=[\\w-]{32}$/.test($("#messaging-webhook-url").val())`);
    const renewed = await url();
    assert.notEqual(renewed, address);
    assert.equal(await page.inputValue("#node-input-secondSecret"), secret);
    await editor.done();
    await editor.deploy();
    for (const each of [address, renewed]) {
      // While the flows start, the service is asked to come back.
      await waitFor(`an answer to ${each === renewed ? "the new" : "the old"} secret`, async () => {
        const { status } = await fetch(each, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ each }),
        });
        assert.ok(status === 200 || status === 503, String(status));
        return status === 200;
      });
    }
  });

  it("webhook-in copies a secret for a header, and warns of an address without TLS", async () => {
    const { editor } = bench;
    const { page } = editor;
    const id = await editor.add("webhook-in");
    await editor.show(id);
    const secret = new URL(await page.inputValue("#messaging-webhook-url")).searchParams.get("secret");
    await page.selectOption("#node-input-auth", "header");
    await editor.done();
    await editor.deploy();
    await editor.show(id);
    await page.evaluate(
      "document.addEventListener('copy', () => { window.copied = document.activeElement.value; })",
    );
    await page.click("#messaging-webhook-copy-secret");
    await page.waitForFunction(`window.copied === ${JSON.stringify(secret)}`);
    const warning = page.locator("#messaging-webhook-plain");
    assert.equal(await warning.isVisible(), false);
    await page.fill("#node-input-publicAddress", "http://hooks.example.com");
    await warning.waitFor({ state: "visible" });
    assert.match(await warning.innerText(), /unencrypted/);
    await page.fill("#node-input-publicAddress", "https://hooks.example.com");
    await warning.waitFor({ state: "hidden" });
    await editor.done();
  });

  it("opt-out shows the fields of its action, and has an output more for a check, whose wire goes with it", async () => {
    const { editor } = bench;
    const { page } = editor;
    const id = await editor.add("opt-out");
    const FIELDS: Readonly<Record<string, readonly string[]>> = {
      add: ["numbers", "scope", "source"],
      remove: ["numbers"],
      check: ["numbers", "category"],
      list: ["pageSize"],
      import: ["rows", "column", "scope"],
    };
    const all = [...new Set(Object.values(FIELDS).flat())];
    await editor.show(id);
    for (const [kind, fields] of Object.entries(FIELDS)) {
      await page.selectOption("#node-input-kind", kind);
      assert.deepEqual([...(await editor.shownRows(all))].sort(), [...fields].sort(), kind);
    }
    await page.selectOption("#node-input-kind", "check");
    await editor.done();
    assert.deepEqual(await editor.ports(id), ["may be messaged", "opted out"]);
    await page.evaluate(
      `["free", "held"].forEach((target, sourcePort) => {
        RED.nodes.import([{ id: target, type: "debug", z: RED.workspaces.active(), x: 400, y: 100, wires: [] }], { generateIds: false });
        RED.nodes.addLink({ source: RED.nodes.node("${id}"), sourcePort, target: RED.nodes.node(target) });
      })`,
    );
    await editor.show(id);
    await page.selectOption("#node-input-kind", "list");
    await editor.type("pageSize", "num", "1");
    await editor.fault("pageSize").waitFor();
    await editor.type("pageSize", "num", "2");
    await editor.fault("pageSize").waitFor({ state: "detached" });
    await editor.done();
    assert.deepEqual([await editor.ports(id), await editor.wires(id)], [[""], ["0 free"]]);
  });

  it("message-log checks times, numbers and the limit", async () => {
    const { editor } = bench;
    const { page } = editor;
    const id = await editor.add("message-log");
    await editor.show(id);
    await page.selectOption("#node-input-kind", "search");
    assert.equal(await editor.row("messageId").isVisible(), false);
    await editor.type("from", "str", "2025-06-01");
    await editor.fault("from").filter({ hasText: "with a zone" }).waitFor();
    await editor.type("from", "str", "7d");
    await editor.fault("from").waitFor({ state: "detached" });
    await editor.type("recipient", "str", "Ada");
    await editor.fault("recipient").waitFor();
    await editor.type("limit", "num", "10001");
    await editor.fault("limit").waitFor();
    await editor.done();
    assert.match((await editor.invalid()).join(), /message-log.*Number.*At most/);
    await editor.show(id);
    await editor.type("recipient", "str", "+41 79 123 45 67");
    await editor.type("limit", "num", "10000");
    await editor.fault("limit").waitFor({ state: "detached" });
    assert.equal(await editor.fault("recipient").count(), 0);
    await editor.done();
    const saved = { kind: "search", from: "7d", limit: "10000", outputs: 2 };
    assert.deepEqual(await editor.held(id, Object.keys(saved)), saved);
  });

  it("message-log offers a state as OpenMetrics text, and says what an account in memory does not know of it", async () => {
    const { editor } = bench;
    const { page } = editor;
    const id = await editor.add("message-log");
    await editor.show(id);
    const shown = (selector: string): Promise<boolean> => page.isVisible(selector);
    const openMetrics = "#node-input-openMetrics";
    const hints = async () => [
      await shown("#messaging-log-memory"),
      await shown("#messaging-log-state-memory"),
    ];
    assert.equal(await shown(openMetrics), false);
    await page.selectOption("#node-input-kind", "state");
    assert.equal(await shown(openMetrics), true);
    assert.deepEqual(await editor.shownRows(["messageId", "number", "from", "to", "limit"]), []);
    await page.setChecked(openMetrics, true);
    await editor.done();
    const saved = { kind: "state", openMetrics: true, outputs: 2 };
    assert.deepEqual(await editor.held(id, Object.keys(saved)), saved);
    assert.deepEqual(
      await page.evaluate(
        `[0, 1].map((port) => RED.nodes.node("${id}")._def.outputLabels.call(RED.nodes.node("${id}"), port))`,
      ),
      ["state", "not found"],
    );
    await editor.show(id);
    const memory = await page.evaluate(
      `RED.nodes.node(RED.nodes.node("${id}").account)?.keepMessages === "memory"`,
    );
    assert.deepEqual(await hints(), [false, memory]);
    await page.selectOption("#node-input-kind", "id");
    assert.deepEqual(await hints(), [memory, false]);
    await editor.done();
  });

  itOnBoth(
    "media-transfer has an output for messages without a file as long as it downloads, whose wire stays",
    async () => {
      const { editor } = bench;
      const { page } = editor;
      const outcomes = ["accepted", "rejected", "try again", "unknown"];
      const id = await editor.add("media-transfer");
      assert.deepEqual(await editor.ports(id), [...outcomes, "no file in this message"]);
      await page.evaluate(
        `["one", "behind"].forEach((target, at) => {
        RED.nodes.import([{ id: target, type: "debug", z: RED.workspaces.active(), x: 400, y: 100, wires: [] }], { generateIds: false });
        RED.nodes.addLink({ source: RED.nodes.node("${id}"), sourcePort: at * 4, target: RED.nodes.node(target) });
      })`,
      );
      await editor.show(id);
      await page.selectOption("#node-input-kind", "upload");
      assert.equal(await page.inputValue("#node-input-outputs"), "4");
      await page.selectOption("#node-input-kind", "download");
      assert.equal(await page.inputValue("#node-input-outputs"), "5");
      await editor.openGroups();
      await page.selectOption("#node-input-outputs", "7");
      await editor.done();
      assert.deepEqual(await editor.wires(id), ["0 one", "1 one", "6 behind"]);
      assert.equal((await editor.ports(id)).at(-1), "no file in this message");
      await editor.show(id);
      await page.selectOption("#node-input-kind", "attachment");
      await editor.done();
      assert.deepEqual([(await editor.ports(id)).length, await editor.wires(id)], [6, ["0 one", "1 one"]]);
    },
  );

  itOnBoth(
    "message-log offers the send nodes by name, and keeps an id that no node has any more",
    async () => {
      const { editor } = bench;
      const { page } = editor;
      const send = await editor.add("sms-send");
      await page.evaluate(`RED.nodes.node("${send}").name = "Alarm"`);
      const id = await editor.add("message-log");
      const label = editor.row("sender").locator(".red-ui-typedInput-option-label");
      await editor.show(id);
      await page.selectOption("#node-input-kind", "search");
      await editor.type("sender", "str", "");
      assert.equal(await label.innerText(), "choose a node");
      await editor.fault("sender").waitFor();
      await editor.choose(editor.row("sender").locator(".red-ui-typedInput-option-trigger"), "Alarm – Test");
      assert.equal(await label.innerText(), "Alarm – Test");
      await editor.fault("sender").waitFor({ state: "detached" });
      await editor.done();
      assert.deepEqual(await editor.held(id, ["sender", "senderSource"]), {
        sender: send,
        senderSource: "str",
      });
      for (const [sender, shown] of [
        [send, "Alarm – Test"],
        ["deleted", "deleted"],
      ] as const) {
        await page.evaluate(`RED.nodes.node("${id}").sender = "${sender}"`);
        await editor.show(id);
        assert.equal(await label.innerText(), shown);
        await editor.done();
        assert.deepEqual(await editor.held(id, ["sender"]), { sender });
      }
    },
  );

  it("say what an account in memory means for what a node does", async () => {
    const { editor } = bench;
    const { page } = editor;
    await page.evaluate(
      `(RED.nodes.import([{ id: "kept", type: "messaging-account", name: "Kept", service: "simulator" }], { generateIds: false }), 0)`,
    );
    for (const type of ["message-log", "opt-out", "message-wait", "verify-code", "sms-send"]) {
      await editor.show(await editor.add(type));
      await page.selectOption("#node-input-account", "kept");
      await editor.openGroups();
      for (const [keeping, isShown] of [
        ["memory", true],
        ["computer", false],
        ["postgresql", false],
      ] as const) {
        await page.evaluate(
          `(RED.nodes.node("kept").keepMessages = "${keeping}", $("#node-input-name").trigger("change"), 0)`,
        );
        await page.evaluate("new Promise(requestAnimationFrame)");
        assert.equal(await page.isVisible("#dialog-form [data-in-memory]"), isShown, `${type} ${keeping}`);
      }
      await editor.cancel();
    }
  });

  it("media-transfer requires a name to overwrite in the user directory, and refuses names of Node-RED's files", async () => {
    const { editor } = bench;
    const { page } = editor;
    const id = await editor.add("media-transfer");
    await editor.show(id);
    await page.selectOption("#node-input-to", "file");
    await editor.type("folder", "str", ".");
    await page.selectOption("#node-input-existing", "overwrite");
    await editor.fault("saveAs").waitFor();
    assert.match(
      await editor.fault("saveAs").innerText(),
      /sender of a file would otherwise choose which file is overwritten/,
    );
    await editor.type("saveAs", "str", "settings.js");
    await page.waitForFunction(`$(".messaging-fault").text().includes("one of Node-RED's own files")`);
    await editor.done();
    assert.match((await editor.invalid()).join(), /media-transfer.*Save as/);
    await editor.show(id);
    await editor.type("saveAs", "str", "last.png");
    await editor.fault("saveAs").waitFor({ state: "detached" });
    await editor.type("folder", "str", "media/../lib/flows");
    await editor.fault("folder").waitFor();
    assert.match(await editor.fault("folder").innerText(), /keeps its own files in lib/);
    await editor.type("folder", "str", "media");
    await editor.fault("folder").waitFor({ state: "detached" });
    assert.equal(await page.inputValue("#node-input-baseFolder"), "messaging-files");
    await editor.done();
    assert.doesNotMatch((await editor.invalid()).join(), /media-transfer.*(Save as|Folder)/);
  });

  itOnBoth(
    "finds every example in the library, imports one from the menu, and all of them are valid",
    async () => {
      const { editor } = bench;
      const examples = allExamples().filter(({ needsPackage }) => !needsPackage);
      const [first, ...others] = examples;
      assert.ok(first);
      await editor.importExample(first.name);
      // What the menu does, without its dialog.
      for (const { name } of others) {
        const path = JSON.stringify(`library/examples/flows/${PACKAGE}/${name}`);
        await editor.page.evaluate(
          `$.getJSON(${path}).then((flow) => void RED.nodes.import(flow, { generateIds: true }))`,
        );
      }
      assert.deepEqual(await editor.invalid(), []);
      const tabs = Number(await editor.page.evaluate("RED.workspaces.count()"));
      assert.ok(tabs > examples.length, `only ${tabs} tabs`);
    },
  );

  itOnBoth(
    "shows the fault below the field, and marks the node as invalid until it is corrected",
    async () => {
      const { editor } = bench;
      const id = await editor.add("sms-send");
      await editor.show(id);
      const reason = editor.fault("validityPeriode");
      await editor.type("validityPeriode", "num", "59");
      await reason.waitFor();
      assert.match(await reason.innerText(), /60/);
      await editor.done();
      assert.match((await editor.invalid()).join(), /sms-send.*Valid for/);
      await editor.show(id);
      await editor.type("validityPeriode", "num", "60");
      await reason.waitFor({ state: "detached" });
      await editor.done();
      assert.doesNotMatch((await editor.invalid()).join(), /Valid for/);
    },
  );

  it("counts and previews a template while it is typed", async () => {
    const { editor } = bench;
    const { page } = editor;
    const id = await editor.add("whatsapp-send");
    await editor.show(id);
    await page.selectOption("#node-input-kind", "template");
    const preview = page.locator("#messaging-template-preview");
    assert.equal(await preview.isVisible(), false);
    await page.fill("#node-input-templateText", "Hello {{1}}, see you on {{2}}.");
    assert.match(await preview.innerText(), /No value for \{\{1\}\}, \{\{2\}\}/);
    await preview.locator("button").click();
    const values = page.locator(".messaging-placeholders .red-ui-typedInput-input");
    await values.nth(1).waitFor();
    await page.locator(".messaging-placeholders li .red-ui-typedInput-input").nth(0).fill("Ann");
    await page.locator(".messaging-placeholders li .red-ui-typedInput-input").nth(1).fill("Friday");
    await page.locator(".messaging-bubble", { hasText: "Hello Ann, see you on Friday." }).waitFor();
    assert.match(await preview.innerText(), /29 of 4,096 characters/);
    assert.match(await page.innerText(".messaging-placeholders"), /3 \/ 1024/);
    await page.fill("#node-input-templateText", "Hello {{1}}.");
    await page.locator("#messaging-template-preview", { hasText: "does not use {{2}}" }).waitFor();
    await editor.done();
    assert.deepEqual(await editor.held(id, ["templateText", "localizableParams"]), {
      templateText: "Hello {{1}}.",
      localizableParams: ["Ann", "Friday"].map((value) => ({ value, source: "str" })),
    });
  });
});
