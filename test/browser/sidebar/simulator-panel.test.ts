import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { account, inject, json, msg, node, sender, str } from "../../support/editor/flow-nodes";
import { type EditorBench, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";
import type { Flows } from "../../support/node-red/admin-client";
import { holdAnswer } from "../../support/editor/hold-answer";
import { waitFor } from "../../support/wait-for";

const reply = (text: string, data: string) => ({ text, data });
const SUGGESTIONS = [reply("Neither of them", "none"), { text: "Our page", url: "https://www.example.com/" }];
const CARDS = ["Monday", "Tuesday"].map((title) => ({
  title,
  suggestions: [reply("Book", `book-${title}`)],
}));
const LONG = `Beginning ${"and so on ".repeat(60)}end.`;

const wires = [["end"], ["end"], ["end"], ["end"]];
const FLOWS: Flows = [
  { id: "tab", type: "tab", label: "Test" },
  account("practice", { name: "Practice of Dr. Example" }),
  account("shop", { name: "Shop" }),
  account("help", { name: "Help", defaultCountry: "CH" }),
  inject("go-sms", "sms", LONG),
  inject("go-call", "call", "Your server is down."),
  inject("go-rcs", "rcs"),
  inject("go-visit", "visit"),
  inject("go-list", "list", "Are you coming?"),
  sender("sms", "sms-send", { account: "practice", ...str("recipientAddressList", "41791234567"), wires }),
  sender("call", "sms-send", {
    account: "help",
    ...str("recipientAddressList", "079 123 45 67"),
    messageType: "voice",
    messageTypeSource: "choice",
    wires,
  }),
  sender("rcs", "rcs-send", {
    account: "shop",
    kind: "carousel",
    ...str("recipients", "+41797654321"),
    cardWidth: "SMALL_WIDTH",
    cardWidthSource: "choice",
    ...json("cards", CARDS),
    ...json("suggestions", SUGGESTIONS),
    wires,
  }),
  sender("visit", "whatsapp-send", {
    account: "shop",
    kind: "template",
    ...str("recipients", "+41797654321"),
    ...str("templateName", "your_visit"),
    ...str("templateLocale", "en_US"),
    localizableParams: [{ value: "Monday", source: "str" }],
    localizableParamsSource: "list",
    wires,
  }),
  sender("list", "sms-send", {
    account: "help",
    ...str("recipientAddressList", "+41790000011, +41790000012, +41790000013"),
    wires,
  }),
  node("in", "webhook-in", { kind: "inbound", account: "shop", outputs: 2, wires: [["get"], []] }),
  sender("get", "media-transfer", {
    account: "shop",
    kind: "download",
    ...msg("mediaId", "payload.mediaId"),
    wires,
  }),
  node("replies", "webhook-in", { kind: "inbound", account: "help", outputs: 2, wires: [["end"], []] }),
  node("end", "debug", { active: false }),
];

function panelTests(bench: EditorBench): void {
  const page = (): Page => bench.editor.page;
  const panel = () => page().locator(".messaging-activity-simulator");
  const rows = () => panel().locator(".messaging-activity-message");
  const writer = () => panel().locator("fieldset", { hasText: "Simulate an inbound message" });
  const received = async () => (await bench.nodeRed.nextFrom("in")).msg;
  const send = async (id: string): Promise<void> => {
    await bench.nodeRed.inject(`go-${id}`);
    await bench.nodeRed.nextFrom(id);
    await bench.nodeRed.clearRecording();
  };

  const choose = (id: string) => page().locator(".messaging-activity-account select").selectOption(id);

  /** @param id of the account that is chosen for all views; blank for all */
  async function open(id = ""): Promise<void> {
    await page().evaluate('RED.actions.invoke("messaging:show-activity-tab")');
    await choose(id);
    await panel().locator(".messaging-activity-heading").click();
    await rows().first().waitFor();
  }

  itOnBoth("shows a long text as a whole by a button", async () => {
    await send("sms");
    await open();
    const row = rows().first();
    assert.doesNotMatch(await row.innerText(), /end\./);
    await row.getByText("Show all", { exact: true }).click();
    assert.match(await row.innerText(), /end\./);
    // It stays unfolded while messages come in.
    await page().evaluate('document.querySelector(".messaging-activity-message").id = "unfolded"');
    await send("rcs");
    await rows().first().getByText("Tuesday").waitFor();
    assert.match(await panel().locator("#unfolded").innerText(), /end\./);
  });

  itOnBoth("shows a call with its spoken text, and takes a number as people at home write it", async () => {
    await send("call");
    await open("help");
    const row = rows().first();
    assert.match(await row.innerText(), /call to \+4179…567[\s\S]*spoken text:[\s\S]*Your server is down\./);
    assert.equal(await row.locator("[title='Voice call'] .fa-phone").count(), 1);
    const number = writer().getByPlaceholder("from phone number");
    const text = writer().getByPlaceholder("text", { exact: true });
    await number.fill("079 765 43 2");
    await text.fill("x".repeat(4097));
    await page().keyboard.press("Enter");
    await panel()
      .getByText(
        "“079 765 43 2” is neither a number of the default country nor an international one. The text has more than 4,096 characters.",
        { exact: true },
      )
      .waitFor();
    await number.fill("079 765 43 21");
    await text.fill("On my way");
    await page().keyboard.press("Enter");
    const { msg: heard } = await bench.nodeRed.nextFrom("replies");
    assert.deepEqual([heard.from, heard.text], ["+41797654321", "On my way"]);
  });

  it("leaves what is written while a message is on its way, and sends that once", async () => {
    await send("rcs");
    await open("shop");
    const text = writer().getByPlaceholder("text", { exact: true });
    const held = await holdAnswer(page(), "**/simulator/write", 2);
    await text.fill("First");
    await page().keyboard.press("Enter");
    await page().keyboard.press("Enter");
    await held.answered;
    await text.fill("Second");
    await held.release();
    assert.equal((await received()).payload.content, "First");
    assert.deepEqual([await text.inputValue(), held.asked()], ["Second", 1]);
  });

  it("leaves a reply that was begun while another one was on its way", async () => {
    await send("rcs");
    await open();
    const begin = panel().getByRole("button", { name: "Reply as the recipient" });
    const box = panel().getByRole("textbox", { name: /^reply of/ });
    // A message that comes while somebody presses is shown after the click.
    const before = await begin.count();
    await begin.first().hover();
    await page().mouse.down();
    const news = page().waitForResponse("**/shop/simulator/texts");
    await send("rcs");
    await news;
    await page().mouse.up();
    await box.waitFor();
    await begin.nth(before).waitFor();
    const held = await holdAnswer(page(), "**/simulator/reply");
    await box.fill("First");
    await page().keyboard.press("Enter");
    await held.answered;
    await begin.first().click();
    await box.fill("Second");
    await held.release();
    assert.equal((await received()).payload.content, "First");
    assert.equal(await box.inputValue(), "Second");
  });

  it("leaves a template that is typed while another one is added", async () => {
    await send("sms");
    await open("practice");
    const form = panel().locator("details", { hasText: "A template of your own" });
    await form.locator("summary").click();
    const name = form.getByPlaceholder("name", { exact: true });
    await name.fill("held_back");
    await form.getByPlaceholder("language").fill("de");
    await form.getByPlaceholder("text, values").fill("Hello");
    const held = await holdAnswer(page(), "**/simulator/template");
    await form.getByText("Add", { exact: true }).click();
    await held.answered;
    await name.fill("next_one");
    await held.release();
    await form.getByText("held_back (de)").waitFor();
    assert.equal(await name.inputValue(), "next_one");
  });

  itOnBoth(
    "taps suggestions on cards and below them, and shows what was answered above what was sent",
    async () => {
      await send("rcs");
      await open();
      const buttons = rows().first().locator(".messaging-simulator-suggestion");
      assert.deepEqual(
        (await buttons.allInnerTexts()).map((each) => each.trim()),
        ["Book", "Book", "Neither of them", "Our page"],
      );
      await buttons.nth(1).click();
      const { payload, topic } = await received();
      assert.deepEqual(
        [topic, payload.type, payload.content, payload.suggestedResponse],
        [
          "+41797654321",
          "rcs",
          "Book",
          { response: { reply: { displayText: "Book", postback: { data: "book-Tuesday" } } } },
        ],
      );
      const answer = rows().first();
      await answer.getByText("tapped suggestion").waitFor();
      assert.match(await answer.innerText(), /from \+4179…321[\s\S]*Book/);
      assert.match(await rows().nth(1).innerText(), /to \+4179…321[\s\S]*Monday[\s\S]*Tuesday/);
      await panel().getByText("Our page").first().click();
      await panel().getByText("the flow gets no event").waitFor();
    },
  );

  itOnBoth("acts for the account that is chosen for all views, from its latest message on", async () => {
    await send("sms");
    await send("rcs");
    await open();
    const forms = [writer(), panel().locator("fieldset", { hasText: "Next message is answered with" })];
    const asked = panel().getByText("Choose an account above");
    await asked.waitFor();
    assert.deepEqual(await Promise.all(forms.map((each) => each.isVisible())), [false, false]);
    assert.equal(await panel().locator("select:visible").count(), 0);
    await choose("practice");
    await asked.waitFor({ state: "hidden" });
    assert.deepEqual(await Promise.all(forms.map((each) => each.isVisible())), [true, true]);
    const number = writer().locator("input").first();
    await waitFor("the latest number", async () => (await number.inputValue()) === "+41791234567");
    assert.equal(await writer().locator("select").inputValue(), "sms");
    await choose("shop");
    await waitFor("the latest number", async () => (await number.inputValue()) === "+41797654321");
    assert.equal(await writer().locator("select").inputValue(), "rcs");
    // A number that the user types is left alone.
    await number.fill("+41790000002");
    await send("rcs");
    await waitFor("the message", async () => (await rows().count()) > 1);
    assert.equal(await number.inputValue(), "+41790000002");
  });

  itOnBoth("replies, taps and reports for one person of a list", async () => {
    await send("list");
    await open("help");
    const row = rows().filter({ hasText: "+ 2 more" }).first();
    const person = row.locator("select");
    assert.deepEqual(await person.locator("option").allInnerTexts(), [
      "all 3 recipients; the first one replies",
      "+41790000011",
      "+41790000012",
      "+41790000013",
    ]);
    await row.getByRole("button", { name: "Reply as the recipient" }).click();
    const box = row.getByRole("textbox");
    assert.equal(await box.getAttribute("placeholder"), "reply of +41790000011");
    await person.selectOption({ label: "+41790000013" });
    assert.equal(await box.getAttribute("placeholder"), "reply of +41790000013");
    await box.fill("Yes");
    await page().keyboard.press("Enter");
    assert.equal((await bench.nodeRed.nextFrom("replies")).msg.from, "+41790000013");
    const reported = page().waitForRequest("**/help/simulator/status");
    await row.getByRole("button", { name: "Report: delivered" }).click();
    assert.deepEqual(
      [(await reported).postDataJSON().person, await person.inputValue()],
      [2, "2"],
      "the choice stays",
    );
  });

  itOnBoth("sends the sample picture and a chosen file, which the flow can download", async () => {
    await send("rcs");
    await open("shop");
    const file = { name: "wound.jpg", mimeType: "image/jpeg", buffer: Buffer.alloc(3_000_000, "j") };
    for (const [choose, content] of [
      [() => writer().getByText("Sample picture", { exact: true }).click(), /^\x89PNG/],
      [() => writer().locator("input[type=file]").setInputFiles(file), /^j{3000000}$/],
    ] as const) {
      await bench.nodeRed.clearRecording();
      await choose();
      await writer().getByRole("button", { name: "Remove the picture" }).waitFor();
      await writer().getByRole("button", { name: "Send", exact: true }).click();
      assert.match((await received()).payload.mediaId, /^[\da-f-]{36}$/);
      const { msg } = await bench.nodeRed.nextFrom("get");
      assert.equal(msg.result.outcome, "sent");
      const bytes = Buffer.from(msg.payload.data ?? msg.payload).toString("latin1");
      assert.ok(content.test(bytes), bytes.slice(0, 20));
    }
  });

  it("refuses a file that is no picture, or too large, says so until the next input, and offers none for an SMS that nobody receives", async () => {
    await send("rcs");
    await send("sms");
    await open("shop");
    const file = writer().locator("input[type=file]");
    const said = panel().locator(".messaging-activity-said");
    await file.setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("a") });
    await said.getByText("not a picture").waitFor();
    await file.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.alloc(3_145_729) });
    await said.getByText("at most 3 MiB").waitFor();
    await writer().getByPlaceholder("text", { exact: true }).fill("x");
    assert.equal(await said.innerText(), "");
    await choose("practice");
    await writer().locator("select").selectOption("sms");
    assert.equal(await writer().locator(".messaging-simulator-picture").isVisible(), false);
    await writer().getByPlaceholder("text", { exact: true }).fill("Anybody?");
    await page().keyboard.press("Enter");
    await said.getByText("No webhook-in node receives it").waitFor();
    await page().evaluate('RED.events.emit("deploy")');
    assert.equal(await said.innerText(), "");
  });

  itOnBoth("gives the simulator a template of the user, of which the refusal says how", async () => {
    const sent = async () => {
      await bench.nodeRed.inject("go-visit");
      const { result } = (await bench.nodeRed.nextFrom("visit")).msg;
      await bench.nodeRed.clearRecording();
      return result;
    };
    const refused = await sent();
    assert.equal(refused.outcome, "rejected");
    assert.match(
      refused.statusMessage,
      /templateName: is not known; this simulator has order_ready, welcome/,
    );
    assert.match(refused.advice, /“A template of your own”/);

    await send("rcs");
    await open("shop");
    const form = panel().locator("details", { hasText: "A template of your own" });
    await form.locator("summary").click();
    await form.getByText("The simulator has order_ready (en_US, de), welcome (en_US, de).").waitFor();
    await form.getByPlaceholder("name", { exact: true }).fill("your_visit");
    await form.getByPlaceholder("language").fill(" en_US ");
    const text = form.getByPlaceholder("text, values");
    await text.fill("See you on {{2}}.");
    await form.getByText("Add", { exact: true }).click();
    await panel().getByText("Number the placeholders {{1}}, {{2}} and so on, without a gap.").waitFor();
    await text.fill("See you on {{1}}.");
    await form.getByText("Add", { exact: true }).click();
    await form.getByText("welcome (en_US, de), your_visit (en_US).").waitFor();
    assert.equal(await text.inputValue(), "");
    assert.equal((await sent()).outcome, "sent");
    await rows().getByText("See you on Monday.").first().waitFor();
  });

  itOnBoth("says which answer is to come until it has come", async () => {
    await send("sms");
    await open("practice");
    const next = panel().locator("fieldset", { hasText: "5003" });
    await next.locator("select").selectOption("4014");
    await next.getByText("Apply").click();
    await next.getByText("The next message is answered with 4014.").waitFor();
    await bench.nodeRed.inject("go-sms");
    assert.equal((await bench.nodeRed.nextFrom("sms")).msg.result.statusCode, 4014);
    await next.getByText("The next message is answered with 4014.").waitFor({ state: "hidden" });
  });

  itOnBoth(
    "lists the messages of all accounts, or of one, with one scrollbar and nothing cut off",
    async () => {
      await send("sms");
      await send("rcs");
      await open();
      for (const width of [170, 320]) {
        await page().evaluate(`document.querySelector(".messaging-sidebar").style.width = "${width}px"`);
        const faults = await page().evaluate<readonly string[]>(`(() => {
        const sidebar = document.querySelector(".messaging-sidebar");
        const outer = sidebar.querySelector(".messaging-activity");
        const inner = [...outer.querySelectorAll("*")].filter((each) => each.offsetParent !== null);
        const scrolls = inner.filter((each) =>
          /auto|scroll/.test(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight);
        const panel = outer.querySelector(".messaging-activity-simulator");
        const right = sidebar.getBoundingClientRect().right;
        const cut = [...panel.querySelectorAll("*")].filter((each) => each.offsetParent !== null &&
          (each.getBoundingClientRect().right > right + 1 ||
            (each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX !== "visible" && !/^(INPUT|SELECT|OPTION)$/.test(each.tagName))));
        return [...scrolls.map((each) => "scrolls: " + each.className), ...cut.map((each) => "cut: " + each.outerHTML.slice(0, 120))];
      })()`);
        assert.deepEqual(faults, [], `${width} px`);
      }
      const shop = rows().filter({ hasText: "Shop" });
      assert.ok((await shop.count()) > 0);
      await choose("practice");
      await shop.first().waitFor({ state: "detached" });
      const shown = await rows().allInnerTexts();
      assert.ok(shown.length > 0 && shown.every((each) => /\+4179…567|Anybody/.test(each)), shown.join());
    },
  );
}

onEachEditor("simulator panel", panelTests, { flows: FLOWS, sidebar: "renewed" });
