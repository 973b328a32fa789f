import assert from "node:assert/strict";
import type { Page, Route } from "playwright-core";
import { account, sender, str } from "../../support/editor/flow-nodes";
import { type EditorBench, itOnBoth, onEachEditor } from "../../support/editor/on-each-editor";
import { seriousFaults } from "../../support/editor/serious-faults";
import { tooWideWhenNarrow } from "../../support/editor/too-wide-when-narrow";
import type { Flows } from "../../support/node-red/admin-client";
import { waitFor } from "../../support/wait-for";
import { temporaryFolder } from "../../support/node-red/packed-package";

const ADA = "+999555000001";
const BOB = "+999555000002";
const REPLY = /history\/reply$/;

const flowsOf = (storeFolder: string): Flows => [
  { id: "tab", type: "tab", label: "conversation" },
  account("kept", { name: "A shop", keepMessages: "computer", keepTexts: true, storeFolder }),
  {
    id: "hook",
    z: "tab",
    type: "webhook-in",
    account: "kept",
    kind: "inbound",
    channel: "all",
    wires: [[], []],
  },
  sender("talk", "whatsapp-send", {
    name: "Answers",
    account: "kept",
    kind: "text",
    ...str("recipients", ADA),
    ...str("content", "Good day"),
  }),
  sender("text", "sms-send", {
    name: "Texts",
    account: "kept",
    sendAsFlashSms: "true",
    sendAsFlashSmsSource: "bool",
  }),
  sender("card", "rcs-send", { name: "Cards", account: "kept", kind: "card" }),
];

function replyTests(bench: EditorBench): void {
  const bubbles = ".messaging-conversation-bubble";
  const ui = (page: Page) => {
    const form = page.locator(".messaging-conversation-reply");
    return {
      form,
      typed: form.locator("textarea"),
      send: form.locator("button"),
      by: form.locator("select"),
      told: form.locator(".messaging-history-notice"),
      refused: form.locator("details"),
      question: page.locator(".red-ui-notification"),
      yes: page.locator(".red-ui-notification button.primary"),
    };
  };
  /** Lets the next reply arrive only when the test says so; the page gets no answer. @returns lets it arrive */
  async function delay(page: Page): Promise<() => Promise<unknown>> {
    let arrive = (): Promise<unknown> => Promise.reject(new Error("nothing was sent"));
    await page.route(
      REPLY,
      async (route) => {
        const request = route.request();
        const [url, data, headers] = [request.url(), request.postData() ?? "", await request.allHeaders()];
        arrive = () => page.request.post(url, { data, headers });
        await route.abort();
      },
      { times: 1 },
    );
    return () => arrive();
  }
  /** Of connections that a test has broken. */
  const forgetComplaints = (): void => {
    const { complaints } = bench.editor;
    const others = complaints.filter((each) => !each.includes("ERR_FAILED"));
    complaints.splice(0, complaints.length, ...others);
  };
  /** A question that was answered slides away: until it is gone its buttons are there. */
  const press = async (page: Page): Promise<void> => {
    await page.waitForFunction('document.querySelector(".red-ui-notification") === null');
    await ui(page).send.click();
  };
  const texts = async (): Promise<readonly string[]> => {
    const { messages } = (await bench.nodeRed.request(
      "POST",
      "/messaging-account/kept/history/conversation",
      {
        number: ADA,
        most: 50,
      },
    )) as { messages: readonly { role: string; content: string }[] };
    return messages.filter(({ role }) => role === "assistant").map(({ content }) => content);
  };

  const write = (who: string, text: string) =>
    bench.nodeRed.request("POST", "/messaging-account/kept/simulator/write", {
      channel: "whatsapp",
      sender: who,
      text,
    });
  /** Opens the conversation with somebody who has written. */
  async function open(page: Page, who: string): Promise<void> {
    await page.fill(".messaging-history-form input[type=text]", who);
    await page.keyboard.press("Enter");
    await page.locator(bubbles).first().waitFor();
  }

  /** Shows the conversation with Ada, who has written by WhatsApp. @param before opened */
  async function show(before?: (page: Page) => Promise<unknown>): Promise<Page> {
    await bench.deploy(flowsOf(await temporaryFolder("reply")));
    await write(ADA, "Hello, is anybody there?");
    await bench.editor.renew();
    const { page } = bench.editor;
    await page.evaluate('RED.actions.invoke("messaging:show-history-tab")');
    await page.locator(".messaging-history select").first().selectOption("kept");
    await page.locator(".messaging-history-form select").first().selectOption("conversation");
    await before?.(page);
    await open(page, ADA);
    await ui(page).by.waitFor();
    return page;
  }

  itOnBoth(
    "is sent once, by the chosen node, after saying what it costs, and appears with its state",
    async () => {
      const page = await show();
      const { typed, send, by, told, refused, question, yes } = ui(page);
      assert.deepEqual(await by.locator("option").allInnerTexts(), ["Answers (WhatsApp)", "Texts (SMS)"]);
      assert.equal(await by.inputValue(), "talk", "she wrote by WhatsApp");
      assert.equal(await send.isDisabled(), true);
      await refused.locator("summary", { hasText: "Nodes that cannot send it: 1" }).click();
      await refused.getByText("Cards (RCS): It is not set to send texts.").waitFor();
      await typed.fill("We are here, {{name}}");
      await press(page);
      await question
        .filter({
          hasText: `Send this text to ${ADA} by Answers (WhatsApp)? This account uses the built-in simulator: nothing is sent to a phone, and it costs nothing.`,
        })
        .waitFor();
      await question.locator("button", { hasText: "Leave it as it is" }).click();
      assert.equal(await typed.inputValue(), "We are here, {{name}}");
      assert.deepEqual(await texts(), []);
      await press(page);
      await yes.click();
      await page.locator(bubbles, { hasText: /We are here, \{\{name\}\}[\s\S]*sent/ }).waitFor();
      await page.waitForFunction(`document.querySelector(".messaging-conversation-typed").value === ""`);

      await by.selectOption("text");
      await typed.fill("Long ".repeat(40));
      await page.evaluate('RED.nodes.node("text").changed = true');
      await press(page);
      await question.filter({ hasText: "and it costs nothing. It is a flash SMS" }).waitFor();
      await question.filter({ hasText: "it is sent as it was deployed." }).waitFor();
      await page.evaluate('RED.nodes.node("text").changed = false');
      await yes.click();
      await page.locator(bubbles, { hasText: /Long Long[\s\S]*sent/ }).waitFor();
      assert.equal((await texts()).length, 2);

      const optOut = { number: ADA, scope: "all" };
      await typed.fill("Once more");
      await bench.nodeRed.request("POST", "/messaging-account/kept/opt-outs/add", optOut);
      await press(page);
      await told.filter({ hasText: "do not want messages of this account" }).waitFor();
      const optedOut = page.locator(".messaging-conversation-opted-out");
      await optedOut
        .filter({ hasText: `${ADA} has opted out of all messages, since ` })
        .filter({ hasText: "A reply is not sent while the number is in the view Opt-outs." })
        .waitFor();
      assert.equal(await typed.inputValue(), "Once more", "what was not sent is not lost");
      await bench.nodeRed.request("POST", "/messaging-account/kept/opt-outs/remove", { number: ADA });
      await optedOut.waitFor({ state: "hidden" });
      assert.deepEqual(await tooWideWhenNarrow(page, ".messaging-history"), []);
      assert.deepEqual(await seriousFaults(page, ".messaging-sidebar"), []);
    },
  );

  itOnBoth("is not sent twice where the answer is lost, and asks by itself what became of it", async () => {
    const page = await show();
    const { typed, told, yes } = ui(page);
    let lost = 0;
    // The runtime takes it, and nobody hears of that.
    const lose = async (route: Route): Promise<void> => {
      await route.fetch();
      lost++;
      await route.abort();
    };
    await page.route(REPLY, lose, { times: 1 });
    await typed.fill("Only once");
    await press(page);
    await yes.click();
    await page.locator(bubbles, { hasText: /Only once[\s\S]*sent/ }).waitFor();
    await page.waitForFunction(`document.querySelector(".messaging-conversation-typed").value === ""`);
    await told.filter({ hasText: "The reply was taken with the first press, and is sent once." }).waitFor();
    assert.equal(lost, 1);

    // Nobody answers at all, the reply arrives late, and another text is pressed before that.
    const late = await delay(page);
    await typed.fill("Comes late");
    await press(page);
    await yes.click();
    await told.filter({ hasText: "The reply was not taken: nothing was sent." }).waitFor();
    assert.deepEqual(await texts(), ["Only once"]);
    await late();
    await typed.fill("Another text");
    await press(page);
    await yes.click();
    await told.filter({ hasText: "An earlier text of this form was taken and is sent" }).waitFor();
    await page.locator(bubbles, { hasText: /Comes late[\s\S]*sent/ }).waitFor();
    assert.deepEqual(await texts(), ["Only once", "Comes late"]);
    assert.equal(await typed.inputValue(), "Another text");
    await press(page);
    await yes.click();
    await page.locator(bubbles, { hasText: /Another text[\s\S]*sent/ }).waitFor();
    assert.equal((await texts()).length, 3);
    forgetComplaints();
  });

  it("finds out what became of it also after the form was left, and sends nothing meanwhile", async () => {
    const page = await show();
    const { typed, told, yes, by } = ui(page);
    await page.route(REPLY, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.route(/history\/reply-state$/, (route) => route.abort());
    await typed.fill("Only once");
    await press(page);
    await yes.click();
    await told.filter({ hasText: "Asking what became of the reply" }).waitFor();
    await page.locator(".messaging-history-form select").first().selectOption("number");
    await page.locator(".messaging-history-head").first().waitFor();
    await page.unroute(/history\/reply-state$/);
    await page.locator(".messaging-history-form select").first().selectOption("conversation");
    await by.waitFor();
    await told.filter({ hasText: "The reply was taken with the first press, and is sent once." }).waitFor();
    assert.deepEqual(await texts(), ["Only once"]);
    await page.unroute(REPLY);
    forgetComplaints();
  });

  it("is not sent beside one that arrives after its form was left", async () => {
    const page = await show();
    const { typed, told, yes, by } = ui(page);
    const late = await delay(page);
    await typed.fill("Comes late");
    await press(page);
    await yes.click();
    await told.filter({ hasText: "The reply was not taken: nothing was sent." }).waitFor();
    await page.locator(".messaging-history-form select").first().selectOption("number");
    await by.waitFor({ state: "hidden" });
    await late();
    await page.locator(".messaging-history-form select").first().selectOption("conversation");
    await page.locator(bubbles, { hasText: "Comes late" }).waitFor();
    await typed.fill("Another text");
    await press(page);
    await yes.click();
    await told.filter({ hasText: "An earlier text of this form was taken and is sent" }).waitFor();
    assert.deepEqual(await texts(), ["Comes late"]);
    forgetComplaints();
  });

  it("says why it could not be taken", async () => {
    const page = await show();
    const { typed, told, yes } = ui(page);
    const json = { error: "store", message: "The disk is full." };
    await page.route(REPLY, (route) => route.fulfill({ json }), { times: 1 });
    await typed.fill("Hello");
    await press(page);
    await yes.click();
    await told.filter({ hasText: "The disk is full. The reply was not taken: nothing was sent." }).waitFor();
    assert.equal(await typed.inputValue(), "Hello");
    assert.deepEqual(await texts(), []);
  });

  it("asks again by which nodes it can be sent where nobody answered", async () => {
    let asked = 0;
    const broken = (page: Page) =>
      page.route(/history\/reply-nodes$/, async (route) => {
        asked++;
        await route.fulfill({ json: { error: "store", message: "The disk is full." } });
      });
    const page = await show(broken);
    const { typed, told, yes, by, send } = ui(page);
    await told.filter({ hasText: "The disk is full." }).waitFor();
    const before = asked;
    await write(ADA, "Still there?");
    await page.locator(bubbles, { hasText: "Still there?" }).waitFor();
    await waitFor("it to be asked again with what is new", () => asked > before);
    await typed.fill("Here we are");
    await page.unroute(/history\/reply-nodes$/);
    await press(page);
    await page.route(/history\/reply$/, async (route) => {
      await broken(page);
      await route.continue();
    });
    await yes.click();
    await page.locator(bubbles, { hasText: /Here we are[\s\S]*sent/ }).waitFor();
    await told.filter({ hasText: "The disk is full." }).waitFor();
    assert.equal(await by.inputValue(), "talk", "what was known stays");
    await page.unroute(/history\/reply-nodes$/);
    await page.unroute(/history\/reply$/);
    await typed.fill("And here");
    await press(page);
    await yes.click();
    await page.locator(bubbles, { hasText: /And here[\s\S]*sent/ }).waitFor();
    assert.deepEqual(await texts(), ["Here we are", "And here"]);
    assert.equal(await send.isDisabled(), true);
  });

  it("goes to somebody else while nobody answers about the one before", async () => {
    const page = await show();
    const { typed, told, question, send } = ui(page);
    let end = (): Promise<void> => Promise.reject(new Error("nothing was asked"));
    await page.route(
      /history\/plan-reply$/,
      (route) => {
        end = () => route.abort();
      },
      { times: 1 },
    );
    await typed.fill("Hello Ada");
    await press(page);
    await page.waitForFunction('document.querySelector(".messaging-conversation-reply button").disabled');
    await write(BOB, "Hello, this is Bob");
    await open(page, BOB);
    await page.locator(bubbles, { hasText: "this is Bob" }).waitFor();
    await typed.fill("Hello Bob");
    await press(page);
    await question.filter({ hasText: `Send this text to ${BOB}` }).waitFor();
    await question.locator("button", { hasText: "Leave it as it is" }).click();
    const failed = page.waitForEvent("requestfailed");
    await end();
    await failed;
    assert.deepEqual([await told.innerText(), await send.isDisabled()], ["", false], "that is not about Bob");
    forgetComplaints();
  });

  it("is not sent where the node was deployed anew between question and answer", async () => {
    const page = await show();
    const { typed, by, told, yes, question } = ui(page);
    await by.selectOption("text");
    await typed.fill("By whom?");
    await press(page);
    await question.waitFor();
    const flows = (await bench.nodeRed.request("GET", "/flows")) as readonly { id: string }[];
    await bench.nodeRed.request(
      "POST",
      "/flows",
      flows.map((node) =>
        node.id === "text" ? { ...node, ...str("senderAddress", "Other") } : node,
      ) as never,
    );
    await yes.click();
    await told.filter({ hasText: "has changed since it was shown" }).waitFor();
    assert.equal(await typed.inputValue(), "By whom?");
    assert.deepEqual(await texts(), []);
  });
}

onEachEditor("a reply that is typed in the sidebar", replyTests);
