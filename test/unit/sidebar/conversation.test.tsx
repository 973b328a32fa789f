import assert from "node:assert/strict";
import {
  type ConversationBubble,
  READ_CONVERSATIONS,
} from "../../../lib/shared/history/conversation-message";
import { useSidebar } from "../../support/sidebar/sidebar-page";

const ADA = "+999555000001";
const message = (id: string, given: Partial<ConversationBubble> = {}): ConversationBubble => ({
  id,
  role: "assistant",
  content: "Good day.",
  at: new Date(0).toISOString(),
  channel: "sms",
  delivery: null,
  simulated: false,
  state: "done",
  outcome: "sent",
  test: false,
  ...given,
});

describe("Conversation", () => {
  const { page } = useSidebar();
  let view: Record<string, unknown> = {};
  const show = (handlers: Parameters<ReturnType<typeof page>["show"]>[1] = {}): Promise<void> =>
    page().show("conversation", {
      "history/conversation": () => ({
        ...{ number: ADA, keepsTexts: true, messages: [], more: false, optOut: null },
        ...view,
      }),
      ...handlers,
    });
  const search = (number: string) => page().type("whole number", number, "Enter");

  it("shows messages of both sides, new ones when they arrive, and earlier ones on request", async () => {
    const [hers, ours] = [
      message("in-1", { role: "user", content: "Hello?", state: null, outcome: null }),
      message("out-1", { delivery: "delivered", simulated: true }),
    ];
    view = { messages: [hers], more: true };
    await show();
    await page().sees("Type the whole number of a person");
    await search(ADA);
    await page().sees("The person wrote:Hello?");
    view = { messages: [hers, ours, message("out-2", { content: "", test: true })], more: true };
    await page().sees(/Sent to the person:Good day\. .* SIMULATED · sent · delivered/);
    await page().sees(/no text kept .* TEST, NOT SENT/);
    await page().press("Show earlier messages");
    await page().until(() =>
      page()
        .runtime.inputsOf("history/conversation")
        .some((input) => (input as { most: number }).most === 1_000),
    );
    assert.throws(() => page().named("Show earlier messages"));
  });

  it("says that the person has opted out, and that there is nothing", async () => {
    view = { optOut: { scope: "all", since: new Date(0).toISOString() }, messages: [message("out-1")] };
    await show();
    await search(ADA);
    await page().sees(`${ADA} has opted out of all messages since`);
    view = {};
    await page().sees(`Nothing was written to ${ADA}`);
  });

  it("leads to the setting without which there is no conversation", async () => {
    view = { keepsTexts: false };
    await show();
    await search(ADA);
    await page().sees("Turn on “Keep texts” under “Storage”");
    await page().press("Open the account");
    assert.deepEqual(page().editor.shown, ["shop"]);
  });

  it("says that a text is no number", async () => {
    await show({ "history/conversation": () => ({ error: "number" }) });
    await search("Ada");
    await page().sees("This is not a phone number.");
  });

  it("reads nothing for a user who may not read conversations", async () => {
    page().editor.denied = [READ_CONVERSATIONS];
    await show();
    await page().sees("You need the permissions messaging-history.read and messaging-conversations.read");
    assert.deepEqual(page().runtime.inputsOf("history/conversation"), []);
  });
});
