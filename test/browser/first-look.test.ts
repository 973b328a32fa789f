import assert from "node:assert/strict";
import { NEW_ACCOUNT } from "../support/editor/account-dialog";
import { BAD_LABELS } from "../support/editor/bad-labels";
import { EMPTY_TAB, type EditorBench, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";

/** Every node with a dialog. */
const TYPES = [
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

const ACCOUNT = { ...NEW_ACCOUNT, id: "one", name: "Demo account", keepMessages: "memory" };

const SHOWN = `[...document.querySelectorAll(".red-ui-palette-node")].filter((each) => each.offsetParent !== null && !each.dataset.filter).map((each) => each.dataset.paletteType)`;

function firstLookTests(bench: EditorBench): void {
  const inputOf = (name: string): string => `#node-input-${name}`;
  const typed = (name: string): Promise<[string, string]> =>
    bench.editor.page.evaluate(
      `((input) => [input.typedInput("type"), input.typedInput("value")])($("${inputOf(name)}"))`,
    );
  const choose = (name: string, source: string): Promise<unknown> =>
    bench.editor.page.evaluate(`($("${inputOf(name)}").typedInput("type", "${source}"), 0)`);
  const summaryOf = (title: string): Promise<string> =>
    bench.editor.page.locator("summary", { hasText: title }).locator(".messaging-summary").innerText();

  itOnBoth("finds nodes in the palette by what people call their work", async () => {
    const { page } = bench.editor;
    for (const [word, type] of [
      ["reply", "webhook-in"],
      ["reply", "message-wait"],
      ["otp", "verify-code"],
      ["sms", "sms-send"],
      ["text message", "sms-send"],
      ["antwort", "message-wait"],
      ["Einmalcode", "verify-code"],
      ["Sammelmeldung", "message-digest"],
      ["opt-out", "opt-out"],
    ]) {
      await page.evaluate(
        `($("#red-ui-palette-search input").searchBox("value", ${JSON.stringify(word)}), 0)`,
      );
      await page.waitForFunction(`${SHOWN}.includes("${type}") && !${SHOWN}.includes("webhook-ack")`);
    }
    await page.evaluate(`($("#red-ui-palette-search input").searchBox("value", ""), 0)`);
    const label = page.locator("[data-palette-type='opt-out'] .red-ui-palette-label");
    assert.equal((await label.innerText()).trim(), "opt‑outs");
  });

  itOnBoth("has each source start on its own: a path is no number, and no number a path", async () => {
    const { editor } = bench;
    await editor.show(await editor.add("sms-send"));
    assert.deepEqual(await typed("recipientAddressList"), ["msg", "to"]);
    await choose("recipientAddressList", "str");
    assert.deepEqual(await typed("recipientAddressList"), ["str", ""]);
    await editor.page.evaluate(
      `($("${inputOf("recipientAddressList")}").typedInput("value", "+41791234567"), 0)`,
    );
    await choose("recipientAddressList", "msg");
    assert.deepEqual(await typed("recipientAddressList"), ["msg", "to"]);
    await choose("recipientAddressList", "flow");
    assert.deepEqual(await typed("recipientAddressList"), ["flow", "to"], "a path stays one");
    await choose("recipientAddressList", "str");
    assert.deepEqual(await typed("recipientAddressList"), ["str", "+41791234567"]);
    await choose("messageContent", "str");
    assert.deepEqual(await typed("messageContent"), ["str", ""]);
    await editor.page.evaluate(`($("${inputOf("messageContent")}").typedInput("value", "Hello"), 0)`);
    await editor.done();
    const name = await editor.page.evaluate(
      "RED.nodes.filterNodes({ type: 'sms-send' })[0]._def.label.call(RED.nodes.filterNodes({ type: 'sms-send' })[0])",
    );
    assert.equal(name, "SMS to +4179…567");
  });

  itOnBoth("shows first what is needed, and says of folded groups what is set in them", async () => {
    const { editor } = bench;
    const id = await editor.add("sms-send");
    await editor.show(id);
    assert.equal(await editor.page.isVisible(inputOf("messageContent")), false, "a TypedInput stands for it");
    assert.equal(await editor.page.locator("details[open]").count(), 1);
    assert.equal(await summaryOf("Options"), "");
    await editor.type("contentCategory", "choice", "advertisement");
    await editor.type("senderAddress", "str", "Practice");
    await editor.done();
    await editor.show(id);
    assert.equal(await editor.page.locator("details[open]").count(), 1);
    assert.equal(await summaryOf("Options"), "Sender: Practice · Category: advertisement");
    assert.equal(await summaryOf("Advanced"), "");
    await editor.cancel();
  });

  itOnBoth("keeps the case of what was typed where a reason quotes it", async () => {
    const { editor } = bench;
    await editor.show(await editor.add("sms-send"));
    await editor.type("recipientAddressList", "str", "anna");
    const fault = editor.page.locator(".messaging-fault", { hasText: "anna" });
    await fault.first().waitFor();
    assert.match(await fault.first().innerText(), /^“anna”: is not a phone number/);
    await editor.cancel();
  });

  it("asks for one number where a code is for one", async () => {
    const { editor } = bench;
    await editor.show(await editor.add("verify-code"));
    await editor.type("number", "str", "+41791234567");
    assert.equal(await editor.page.locator(".messaging-recipients").count(), 0);
    assert.equal(await editor.page.locator(".messaging-fault").count(), 0);
    await editor.type("number", "str", "+41791234567, +41791234568");
    await editor.page.locator(".messaging-fault", { hasText: "Must be one number" }).waitFor();
    await editor.cancel();
  });

  it("shows the beginning of a long text when nobody writes in it", async () => {
    const { editor } = bench;
    const { page } = editor;
    await editor.show(await editor.add("sms-send"));
    await editor.type("messageContent", "str", "");
    const inner = page.locator(".form-row:has(#node-input-messageContent) .red-ui-typedInput-input");
    await inner.click();
    await page.keyboard.insertText("The appointment is confirmed. ".repeat(20));
    await page.keyboard.press("End");
    assert.ok(Number(await page.evaluate("document.activeElement.scrollTop")) > 0);
    await page.click("#node-input-name");
    const selector = ".form-row:has(#node-input-messageContent) .red-ui-typedInput-input";
    assert.equal(await page.evaluate(`document.querySelector("${selector}").scrollTop`), 0);
    await editor.cancel();
  });

  it("says of the storage of an account what is set while it is folded", async () => {
    const { editor } = bench;
    await bench.editor.showAccount("one");
    assert.equal(await summaryOf("Storage"), "in memory only");
    await editor.page.evaluate(`($("#node-config-input-keepMessages").val("computer").trigger("change"), 0)`);
    await editor.page.waitForFunction(
      `[...document.querySelectorAll(".messaging-summary")].some((each) => each.textContent === "on this computer for 30 days")`,
    );
    await bench.editor.closeAccount();
  });

  it("reads type and size of a picture by a button, and opens where they are", async () => {
    const { editor } = bench;
    const { page } = editor;
    const asked: unknown[] = [];
    await page.route("**/file-facts", (route) => {
      asked.push([new URL(route.request().url()).pathname, route.request().postDataJSON()]);
      void route.fulfill({ json: { type: "image/jpeg", size: 48_211 } });
    });
    try {
      await editor.show(await editor.add("rcs-send"));
      for (const [kind, url, type, size] of [
        ["card", "mediaUrl", "mediaContentType", "mediaFileSize"],
        ["file", "fileUrl", "fileMIMEType", "fileSize"],
      ] as const) {
        await page.selectOption(inputOf("kind"), kind);
        const button = page.locator(`.messaging-file-facts[data-of=${url}]`);
        assert.equal(await button.isVisible(), false, "no address is typed");
        await page.evaluate(
          `($("${inputOf(url)}").typedInput("type", "str"), $("${inputOf(url)}").typedInput("value", " https://example.com/a.jpg "), 0)`,
        );
        await button.locator("button").click();
        await button.locator("[role=status]", { hasText: "image/jpeg, 48,211 bytes" }).waitFor();
        assert.deepEqual(await typed(type), ["str", "image/jpeg"]);
        assert.deepEqual(await typed(size), ["num", "48211"]);
      }
      assert.deepEqual(asked[0], ["/messaging-account/one/file-facts", { url: "https://example.com/a.jpg" }]);
      await editor.cancel();
    } finally {
      await page.unroute("**/file-facts");
    }
  });

  it("takes over no type and size of a file whose address has changed", async () => {
    const { editor } = bench;
    const { page } = editor;
    await editor.show(await editor.add("rcs-send"));
    await page.selectOption(inputOf("kind"), "file");
    await editor.type("fileUrl", "str", "https://example.com/a.jpg");
    let changed = (): void => {};
    const answer = new Promise<void>((resolve) => {
      changed = resolve;
    });
    await page.route(
      "**/file-facts",
      (route) => answer.then(() => route.fulfill({ json: { type: "image/jpeg", size: 48_211 } })),
      { times: 1 },
    );
    const button = page.locator(".messaging-file-facts[data-of=fileUrl]");
    await button.locator("button").click();
    await editor.type("fileUrl", "str", "https://example.com/b.pdf");
    changed();
    await button.locator("button:not(:disabled)").waitFor();
    assert.equal(await button.locator("[role=status]").innerText(), "");
    assert.equal((await typed("fileMIMEType"))[1], "");
    await editor.cancel();
  });

  it("says in words why a picture cannot be looked at", async () => {
    const { editor } = bench;
    await editor.show(await editor.add("rcs-send"));
    await editor.page.selectOption(inputOf("kind"), "card");
    await editor.type("mediaUrl", "str", "http://127.0.0.1:9/a.jpg");
    const button = editor.page.locator(".messaging-file-facts[data-of=mediaUrl]");
    await button.locator("button").click();
    await button.locator("[role=status]", { hasText: "not on the public internet" }).waitFor();
    await editor.cancel();
  });

  // Those in English are looked at where each dialog is opened.
  itOnBoth("has labels of one line that touch nothing, in German, which is longer", async () => {
    const editor = await bench.editorIn("de");
    const { page } = editor;
    for (const type of TYPES) {
      await editor.show(await editor.add(type));
      await editor.openGroups();
      const kinds: string[] = await page.evaluate(
        `[...(document.querySelector("${inputOf("kind")}")?.options ?? [])].map(({ value }) => value)`,
      );
      for (const kind of kinds.length === 0 ? [""] : kinds) {
        if (kind !== "") await page.selectOption(inputOf("kind"), kind);
        assert.deepEqual(await page.evaluate(BAD_LABELS), [], `${type} ${kind}`);
      }
      const select = `document.querySelector("${inputOf("account")}")`;
      const isCut = await page.evaluate(
        `(() => { const select = ${select}; if (!select) return false; const full = select.cloneNode(true); full.removeAttribute("style"); full.style.cssText = "position:absolute;width:auto;max-width:none;flex:none"; select.parentElement.append(full); const cut = full.offsetWidth > select.offsetWidth + 1; full.remove(); return cut; })()`,
      );
      assert.equal(isCut, false, `the account of ${type}`);
      await editor.cancel();
    }
    await bench.editor.showAccount("one");
    await page.evaluate('$("#node-config-dialog-edit-form details").attr("open", "")');
    await page.selectOption("#node-config-input-service", "service");
    assert.deepEqual(await page.evaluate(BAD_LABELS), [], "account");
    await bench.editor.closeAccount();
  });

  itOnBoth(
    "brings along an account for each example: Node-RED asks about one that is there, and does not take it",
    async () => {
      const { editor } = bench;
      const { page } = editor;
      const flow = JSON.stringify([
        { ...ACCOUNT, name: "Demo account" },
        { id: "new-tab", type: "tab", label: "Example" },
        {
          id: "sender",
          type: "sms-send",
          z: "new-tab",
          account: "one",
          x: 200,
          y: 100,
          wires: [[], [], [], []],
        },
      ]);
      await editor.import(flow);
      await page.locator(".red-ui-notification", { hasText: "already exist" }).waitFor();
      assert.equal(
        await page.evaluate("RED.nodes.node('sender') === null || RED.nodes.node('sender') === undefined"),
        true,
      );
      await page.locator(".red-ui-notification button").first().click();
    },
  );
}

onEachEditor("a first look at dialogs", firstLookTests, { flows: [EMPTY_TAB, ACCOUNT] });
