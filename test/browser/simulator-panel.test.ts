import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type EditorBench, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";
import type { Flows } from "../support/node-red/admin-client";
import { holdAnswer } from "../support/editor/hold-answer";
import { waitFor } from "../support/wait-for";

const reply = (text: string, data: string) => ({ text, data });
const SUGGESTIONS = [reply("Neither of them", "none"), { text: "Our page", url: "https://www.example.com/" }];
const CARDS = ["Monday", "Tuesday"].map((title) => ({
  title,
  suggestions: [reply("Book", `book-${title}`)],
}));
const json = (name: string, value: unknown) => ({
  [name]: JSON.stringify(value),
  [`${name}Source`]: "json",
});
const str = (name: string, value: string) => ({ [name]: value, [`${name}Source`]: "str" });
const LONG = `Beginning ${"and so on ".repeat(60)}end.`;

const account = (id: string, name: string) => ({
  id,
  type: "messaging-account",
  name,
  service: "simulator",
  keepMessages: "memory",
});
const inject = (id: string, to: string, payload = "Hello") => ({
  id,
  type: "inject",
  z: "tab",
  props: [{ p: "payload" }],
  payload,
  payloadType: "str",
  wires: [[to]],
});
const end = [["end"], ["end"], ["end"], ["end"]];
const FLOWS: Flows = [
  { id: "tab", type: "tab", label: "Test" },
  account("practice", "Practice of Dr. Example"),
  account("shop", "Shop"),
  inject("go-sms", "sms", LONG),
  inject("go-rcs", "rcs"),
  {
    id: "sms",
    type: "sms-send",
    z: "tab",
    account: "practice",
    outputs: 4,
    ...str("recipientAddressList", "41791234567"),
    wires: end,
  },
  {
    id: "rcs",
    type: "rcs-send",
    z: "tab",
    account: "shop",
    kind: "carousel",
    outputs: 4,
    ...str("recipients", "+41797654321"),
    cardWidth: "SMALL_WIDTH",
    cardWidthSource: "choice",
    ...json("cards", CARDS),
    ...json("suggestions", SUGGESTIONS),
    wires: end,
  },
  inject("go-visit", "visit"),
  {
    id: "visit",
    type: "whatsapp-send",
    z: "tab",
    account: "shop",
    kind: "template",
    outputs: 4,
    ...str("recipients", "+41797654321"),
    ...str("templateName", "your_visit"),
    ...str("templateLocale", "en_US"),
    localizableParams: [{ value: "Monday", source: "str" }],
    localizableParamsSource: "list",
    wires: end,
  },
  {
    id: "in",
    type: "webhook-in",
    z: "tab",
    kind: "inbound",
    account: "shop",
    outputs: 2,
    wires: [["get"], []],
  },
  {
    id: "get",
    type: "media-transfer",
    z: "tab",
    account: "shop",
    kind: "download",
    outputs: 4,
    mediaId: "payload.mediaId",
    mediaIdSource: "msg",
    wires: end,
  },
  { id: "end", type: "debug", z: "tab", active: false, wires: [] },
] as never;

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

  async function open(): Promise<void> {
    await page().evaluate('RED.actions.invoke("messaging:show-activity-tab")');
    await panel().locator(".messaging-activity-heading").click();
    await rows().first().waitFor();
  }

  itOnBoth("lists the messages of all accounts, and of one where that is chosen", async () => {
    await send("sms");
    await send("rcs");
    await open();
    const text = await panel().locator(".messaging-activity-messages").innerText();
    assert.match(text, /Practice of Dr\. Example/);
    assert.match(text, /Shop/);
    await page().selectOption("[aria-label='Messages of which account']", "practice");
    await rows().filter({ hasText: "Shop" }).first().waitFor({ state: "detached" });
    const shown = await rows().allInnerTexts();
    assert.ok(
      shown.length > 0 && shown.every((each) => each.includes("Practice of Dr. Example")),
      shown.join(),
    );
  });

  itOnBoth("acts for the chosen account in every form", async () => {
    await send("sms");
    await open();
    const next = panel()
      .locator("fieldset", { hasText: "Next message is answered with" })
      .locator("select")
      .first();
    const first = writer().locator("select").first();
    await waitFor("the account of the latest message", async () => (await next.inputValue()) === "practice");
    await first.selectOption("shop");
    assert.equal(await next.inputValue(), "shop");
    await next.selectOption("practice");
    assert.equal(await first.inputValue(), "practice");
    await first.hover();
    assert.match((await first.getAttribute("title")) ?? "", /Practice of Dr\. Example/);
  });

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

  it("leaves what is written while a message is on its way, and sends that once", async () => {
    await send("rcs");
    await open();
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
    await open();
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

  itOnBoth("starts an inbound message at the channel, number and account of the latest one", async () => {
    await send("sms");
    await open();
    await waitFor(
      "the latest number",
      async () => (await writer().locator("input").first().inputValue()) === "+41791234567",
    );
    assert.deepEqual(await Promise.all([0, 1].map((at) => writer().locator("select").nth(at).inputValue())), [
      "practice",
      "sms",
    ]);
    // A number that the user types is left alone.
    await writer().locator("input").first().fill("+41790000002");
    await send("rcs");
    await rows().filter({ hasText: "+4179…321" }).first().waitFor();
    assert.equal(await writer().locator("input").first().inputValue(), "+41790000002");
  });

  for (const [title, choose, content] of [
    [
      "the sample picture",
      async () => writer().getByText("Sample picture", { exact: true }).click(),
      /^\x89PNG/,
    ],
    [
      "a chosen file",
      async () =>
        writer()
          .locator("input[type=file]")
          .setInputFiles({ name: "wound.jpg", mimeType: "image/jpeg", buffer: Buffer.alloc(3_000_000, "j") }),
      /^j{3000000}$/,
    ],
  ] as const) {
    itOnBoth(`sends ${title}, which the flow can download`, async () => {
      await send("rcs");
      await open();
      await choose();
      await writer().getByRole("button", { name: "Remove the picture" }).waitFor();
      await writer().getByRole("button", { name: "Send", exact: true }).click();
      const { payload } = await received();
      assert.match(payload.mediaId, /^[\da-f-]{36}$/);
      const { msg } = await bench.nodeRed.nextFrom("get");
      assert.equal(msg.result.outcome, "sent");
      const bytes = Buffer.from(msg.payload.data ?? msg.payload).toString("latin1");
      assert.ok(content.test(bytes), bytes.slice(0, 20));
    });
  }

  it("refuses a file that is no picture, or too large, says so until the next input, and offers none for an SMS that nobody receives", async () => {
    await send("rcs");
    await open();
    const file = writer().locator("input[type=file]");
    const said = panel().locator(".messaging-activity-said");
    await file.setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("a") });
    await said.getByText("not a picture").waitFor();
    await file.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.alloc(3_145_729) });
    await said.getByText("at most 3 MiB").waitFor();
    await writer().getByPlaceholder("text", { exact: true }).fill("x");
    assert.equal(await said.innerText(), "");
    await writer().locator("select").first().selectOption("practice");
    await writer().locator("select").last().selectOption("sms");
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

    await send("sms");
    await open();
    const form = panel().locator("details", { hasText: "A template of your own" });
    await form.locator("summary").click();
    await form.locator("select").selectOption("shop");
    await form.getByText("The simulator has order_ready (en_US, de), welcome (en_US, de).").waitFor();
    await form.getByPlaceholder("name", { exact: true }).fill("your_visit");
    await form.getByPlaceholder("language").fill(" en_US ");
    const text = form.getByPlaceholder("text, values");
    await text.fill("See you on {{2}}.");
    await form.getByText("Add", { exact: true }).click();
    await panel().getByText("Its placeholders are numbered {{1}}, {{2}} and so on.").waitFor();
    await text.fill("See you on {{1}}.");
    await form.getByText("Add", { exact: true }).click();
    await form.getByText("welcome (en_US, de), your_visit (en_US).").waitFor();
    assert.equal(await text.inputValue(), "");
    assert.equal((await sent()).outcome, "sent");
    await rows().getByText("See you on Monday.").first().waitFor();
  });

  itOnBoth("says which answer is to come until it has come", async () => {
    await send("sms");
    await open();
    const next = panel().locator("fieldset", { hasText: "5003" });
    await next.locator("select").first().selectOption("practice");
    await next.locator("select").last().selectOption("4014");
    await next.getByText("Apply").click();
    await next.getByText("The next message is answered with 4014.").waitFor();
    await bench.nodeRed.inject("go-sms");
    assert.equal((await bench.nodeRed.nextFrom("sms")).msg.result.statusCode, 4014);
    await next.getByText("The next message is answered with 4014.").waitFor({ state: "hidden" });
  });

  itOnBoth("has one scrollbar and cuts nothing, in a narrow sidebar and a usual one", async () => {
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
  });
}

onEachEditor("simulator panel", panelTests, { flows: FLOWS, sidebar: "renewed" });
