// Slow: each test sends through a deployed flow, and one sends a picture of 3 MB.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { account, inject, json, msg, node, sender, str } from "../../support/editor/flow-nodes";
import { type EditorBench, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";
import type { Flows } from "../../support/node-red/admin-client";
import { holdAnswer } from "../../support/editor/hold-answer";

const reply = (text: string, data: string) => ({ text, data });
const SUGGESTIONS = [reply("Neither of them", "none"), { text: "Our page", url: "https://www.example.com/" }];
const CARDS = ["Monday", "Tuesday"].map((title) => ({
  title,
  suggestions: [reply("Book", `book-${title}`)],
}));

const wires = [["end"], ["end"], ["end"], ["end"]];
const FLOWS: Flows = [
  { id: "tab", type: "tab", label: "Test" },
  account("practice", { name: "Practice of Dr. Example" }),
  account("shop", { name: "Shop" }),
  account("help", { name: "Help", defaultCountry: "CH" }),
  inject("go-sms", "sms"),
  inject("go-rcs", "rcs"),
  inject("go-visit", "visit"),
  inject("go-list", "list", "Are you coming?"),
  sender("sms", "messaging-sms-send", {
    account: "practice",
    ...str("recipientAddressList", "41791234567"),
    wires,
  }),
  sender("rcs", "messaging-rcs-send", {
    account: "shop",
    kind: "carousel",
    ...str("recipients", "+41797654321"),
    cardWidth: "SMALL_WIDTH",
    cardWidthSource: "choice",
    ...json("cards", CARDS),
    ...json("suggestions", SUGGESTIONS),
    wires,
  }),
  sender("visit", "messaging-whatsapp-send", {
    account: "shop",
    kind: "template",
    ...str("recipients", "+41797654321"),
    ...str("templateName", "your_visit"),
    ...str("templateLocale", "en_US"),
    localizableParams: [{ value: "Monday", source: "str" }],
    localizableParamsSource: "list",
    wires,
  }),
  sender("list", "messaging-sms-send", {
    account: "help",
    ...str("recipientAddressList", "+41790000011, +41790000012, +41790000013"),
    wires,
  }),
  node("in", "messaging-webhook-in", { kind: "inbound", account: "shop", outputs: 2, wires: [["get"], []] }),
  sender("get", "messaging-media-transfer", {
    account: "shop",
    kind: "download",
    ...msg("mediaId", "payload.mediaId"),
    wires,
  }),
  node("replies", "messaging-webhook-in", {
    kind: "inbound",
    account: "help",
    outputs: 2,
    wires: [["end"], []],
  }),
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

  /** @param id of the account that is chosen for all views */
  async function open(id: string): Promise<void> {
    await page().evaluate('RED.actions.invoke("messaging:show-activity-tab")');
    await choose(id);
    await panel().locator(".messaging-activity-heading").click();
    await rows().first().waitFor();
  }

  it("sends a message once, and leaves what is typed while it is sent", async () => {
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

  it("taps a suggestion of a card, and shows the reply above the message", async () => {
    await send("rcs");
    await open("shop");
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
  });

  itOnBoth("replies and reports for one recipient of a list", async () => {
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

  it("sends the sample picture and a chosen file, which the flow can download", async () => {
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

  it("adds a template of the user, which the simulator then accepts", async () => {
    const sent = async () => {
      await bench.nodeRed.inject("go-visit");
      const { result } = (await bench.nodeRed.nextFrom("visit")).msg;
      await bench.nodeRed.clearRecording();
      return result;
    };
    const refused = await sent();
    assert.equal(refused.outcome, "rejected");
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

  it("answers the next message with the chosen code, once", async () => {
    await send("sms");
    await open("practice");
    const next = panel().locator("fieldset", { hasText: "5003" });
    await next.locator("select").selectOption("4035");
    await next.getByText("Apply").click();
    await next.getByText("The next message is answered with 4035.").waitFor();
    await bench.nodeRed.inject("go-sms");
    assert.equal((await bench.nodeRed.nextFrom("sms")).msg.result.statusCode, 4035);
    await next.getByText("The next message is answered with 4035.").waitFor({ state: "hidden" });
  });
}

onEachEditor("simulator panel", panelTests, { flows: FLOWS, sidebar: "renewed" });
