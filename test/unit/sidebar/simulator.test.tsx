import assert from "node:assert/strict";
import type { PanelMessage, PanelReply, SimulatorView } from "../../../lib/shared/simulator-panel";
import { useSidebar } from "../../support/sidebar/sidebar-page";

const message = (given: Partial<PanelMessage> = {}): PanelMessage => ({
  transferId: "t1",
  at: 1_000,
  channel: "rcs",
  spoken: false,
  who: "+4179…321",
  number: "+41797654321",
  count: 1,
  people: [],
  text: "Hello",
  cards: [],
  suggestions: [],
  test: false,
  ...given,
});
const reply = (given: Partial<PanelReply> = {}): PanelReply => ({
  at: 2_000,
  channel: "rcs",
  who: "+4179…321",
  number: null,
  text: "Yes",
  picture: false,
  tapped: false,
  ...given,
});

describe("Simulator", () => {
  const { page } = useSidebar();
  let view: Partial<SimulatorView> = {};
  const show = (handlers: Parameters<ReturnType<typeof page>["show"]>[1] = {}): Promise<void> => {
    const look = () => ({
      ...{ messages: [], replies: [], nextAnswer: null, templates: [] },
      ...{
        answers: [
          { code: 5003, words: "fails (5003)" },
          { code: 4035, words: "no (4035)" },
        ],
      },
      ...view,
    });
    return page().show("simulator", { "simulator/texts": look, simulator: look, ...handlers });
  };
  const told = (count: number) => () => ({ told: count, refused: [] });
  const rows = () => page().texts(".messaging-simulator-message");

  beforeEach(() => {
    view = {};
  });

  it("shows messages and replies, newest first, and renews them", async () => {
    view = {
      messages: [message({ spoken: true, count: 3, people: ["a", "b", "c"] })],
      replies: [reply(), reply()],
    };
    await show();
    await page().sees("call to +4179…321 + 2 more");
    assert.match(rows()[0] ?? "", /from \+4179…321Yes$/);
    assert.equal(rows().length, 3);
    view = { messages: [message({ transferId: "t2", at: 9_000, text: "New" })] };
    await page().sees("New");
    assert.equal(rows().length, 1);
  });

  it("writes a message once, and leaves what is typed while it is sent", async () => {
    let release = (_answer: object): void => {};
    const held = new Promise((resolve) => {
      release = resolve;
    });
    view = { messages: [message()] };
    await show({ "simulator/write": () => held });
    await page().until(() => page().input("from phone number").value === "+41797654321");
    await page().type("text", "First", "Enter");
    await page().key(page().input("text"), "Enter");
    await page().type("text", "Second");
    release({ told: 1, refused: [] });
    await page().sees("Message on its way to your webhook-in node.");
    const written = { channel: "rcs", sender: "+41797654321", text: "First" };
    assert.deepEqual(page().runtime.inputsOf("simulator/write"), [written]);
    assert.equal(page().input("text").value, "Second");
  });

  it("keeps a text that nobody received or that is refused", async () => {
    let answer: object = { told: 0, refused: [] };
    await show({ "simulator/write": () => answer });
    await page().type("text", "Hello", "Enter");
    await page().sees("No webhook-in node receives it.");
    answer = { told: 0, refused: ["sender.several"] };
    await page().key(page().input("text"), "Enter");
    await page().sees("Type one phone number");
    assert.equal(page().input("text").value, "Hello");
  });

  it("replies, taps and reports for one recipient of several", async () => {
    const suggestion = { kind: "reply", action: null, target: null } as const;
    view = {
      messages: [
        message({
          channel: "sms",
          count: 2,
          people: ["+41790000011", "+41790000012"],
          suggestions: [
            { ...suggestion, index: 0, text: "Book", heard: true },
            { ...suggestion, index: 1, text: "Our page", heard: false },
          ],
        }),
      ],
    };
    await show({ "simulator/reply": told(1), "simulator/status": told(2), "simulator/tap": told(1) });
    await page().sees("Book");
    await page().press("Reply as the recipient");
    assert.equal(document.activeElement, page().input("reply of +41790000011"));
    await page().choose("Who acts: one of the recipients, or all", "1");
    await page().type("reply of +41790000012", "Yes", "Enter");
    await page().sees("Reply on its way to your webhook-in node.");
    assert.throws(() => page().input("reply of +41790000012"));
    await page().press("Report: delivered");
    await page().sees("“delivered” on its way to your 2 webhook-in nodes.");
    assert.throws(() => page().named("Report: read"));
    await page().press("Book");
    await page().sees("Tap on its way");
    await page().press("Our page");
    await page().sees("“Our page” has no postback data");
    const acting = { transferId: "t1", person: 1 };
    assert.deepEqual(
      ["reply", "status", "tap"].map((each) => page().runtime.inputsOf(`simulator/${each}`)),
      [[{ ...acting, text: "Yes" }], [{ ...acting, status: "delivered" }], [{ ...acting, suggestion: 0 }]],
    );
    await page().press("Reply as the recipient");
    await page().key(page().input("reply of +41790000012"), "Escape");
    assert.throws(() => page().input("reply of +41790000012"));
  });

  it("sends the sample picture, which an SMS cannot carry", async () => {
    view = { messages: [message()] };
    await show({ "simulator/write": told(1) });
    await page().until(() => page().text.includes("Sample picture"));
    await page().press("Sample picture");
    page().named("Remove the picture");
    await page().press("Send");
    await page().sees("Message on its way");
    assert.deepEqual((page().runtime.inputsOf("simulator/write")[0] as { picture: object }).picture, {
      sample: true,
    });
    await page().choose("Channel of the message", "sms");
    assert.throws(() => page().named("Sample picture"));
  });

  it("sets the next answer, and adds a template", async () => {
    await show({
      "simulator/next-answer": ({ statusCode }: { statusCode: number }) => {
        view = { nextAnswer: statusCode, templates: [{ name: "visit", locale: "en" }] };
        return { told: 0, refused: [] };
      },
      "simulator/normal": () => {
        view = {};
        return { told: 0, refused: [] };
      },
      "simulator/template": ({ text }: { text: string }) => ({
        told: 0,
        refused: text === "" ? ["template.text"] : [],
      }),
    });
    await page().sees("no (4035)");
    await page().choose("Next message is answered with", "4035");
    await page().press("Apply");
    await page().sees("The next message is answered with 4035.");
    await page().sees("The simulator has visit (en).");
    await page().press("Answer normally again");
    await page().until(() => page().named("Apply") !== null && !page().text.includes("answered with 4035"));
    await page().type("name", " visit ");
    await page().press("Add");
    await page().sees("Type the text of the template.");
    await page().type("text, values as {{1}}, {{2}}", "See you");
    await page().press("Add");
    await page().until(() => page().input("name").value === "");
    const template = { templateName: "visit", templateLocale: "", text: "See you" };
    assert.deepEqual(page().runtime.inputsOf("simulator/template").at(-1), template);
  });

  it("shows no texts and no actions to a user who may not deploy", async () => {
    page().editor.denied = ["flows.write"];
    view = { messages: [message({ text: null })] };
    await show();
    await page().sees("You need permission to deploy flows to see the texts");
    await page().sees("(text hidden)");
    assert.deepEqual(page().all("button"), []);
    assert.deepEqual(page().runtime.inputsOf("simulator/texts"), []);
  });

  it("says why the account cannot be read", async () => {
    await show({ "simulator/texts": () => ({ error: "not-simulated" }) });
    await page().sees("The deployed account uses the real service.");
  });
});
