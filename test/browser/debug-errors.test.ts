import assert from "node:assert/strict";
import { msg, str } from "../support/editor/flow-nodes";
import { NEW_ACCOUNT } from "../support/editor/account-dialog";
import { EMPTY_TAB, type EditorBench, itOnBoth, onEachEditor } from "../support/editor/on-each-editor";
import { waitFor } from "../support/wait-for";

const account = (id: string, more: object = {}) => ({
  ...NEW_ACCOUNT,
  id,
  name: `account ${id}`,
  keepMessages: "memory",
  ...more,
});

/** A node that fails with what one inject node sends, and what the debug sidebar says then: it shows the first 80 characters, and all when a person opens the line. */
interface Failing {
  readonly node: Readonly<Record<string, unknown>> & { readonly type: string };
  readonly says: RegExp;
}

const failing = (type: string, given: object, says: RegExp): Failing => ({
  node: { type, account: "works", ...given },
  says,
});
const to = (value: string) => str("recipientAddressList", value);

/** Nodes of which no output is wired, and no Catch node hears: their errors go to the debug sidebar. */
const FAILING: readonly Failing[] = [
  failing(
    "sms-send",
    msg("messageContent", "text"),
    /^Text is set to msg\.text, which holds no value \(messageContent\)\. /,
  ),
  failing(
    "sms-send",
    { recipientAddressList: "nobody" },
    /^Recipients is set to msg\.nobody, which holds no value \(recip/,
  ),
  failing("sms-send", to("+999004031"), /^All recipients are on the blacklist\./),
  failing("sms-send", { account: "bare" }, /^The account has no credentials for this kind of message\. /),
  failing("sms-send", { account: "" }, /^No account is chosen/),
  failing("sms-send", { account: "away" }, /^No connection to the service could be made\./),
  failing("whatsapp-send", { content: "text" }, /^Text is set to msg\.text, which/),
  failing("rcs-send", { textMessage: "text" }, /^Text is set to msg\.text, which/),
  failing("media-transfer", { mediaId: "id", outputs: 4 }, /^“Media id” is set to msg\.id, which/),
  failing("message-log", { kind: "id", messageId: "id" }, /^“Message id” is set to msg\.id/),
  failing("message-log", { kind: "search" }, /^The account keeps messages in memory only/),
  failing("opt-out", { kind: "add", numbers: "who" }, /^Numbers is set to msg\.who, which/),
  failing("message-wait", {}, /^“Send result” \(msg\.result\) has no result of a send node/),
  failing("verify-code", { kind: "check", code: "typed" }, /^“Typed code” is set to msg\.typed/),
  failing("webhook-ack", {}, /^msg\.event /),
];

const DETACHED = FAILING.map(({ node }, at) => ({
  id: `fails-${at}`,
  z: "tab",
  x: 400,
  y: 60 + at * 50,
  name: `node ${at}`,
  wires: [],
  ...node,
}));

const FLOWS = [
  EMPTY_TAB,
  account("works"),
  account("bare", { service: "service", serviceAddress: "http://127.0.0.1:9" }),
  account("away", {
    service: "service",
    serviceAddress: "http://127.0.0.1:9",
    credentials: { username: "user", password: "password" },
    attempts: 1,
  }),
  {
    id: "begin",
    type: "inject",
    z: "tab",
    x: 120,
    y: 60,
    props: [
      { p: "to", v: "+999555000001", vt: "str" },
      { p: "payload", v: "Hello", vt: "str" },
    ],
    wires: [DETACHED.map(({ id }) => id)],
  },
  ...DETACHED,
];

function debugSidebarTests(bench: EditorBench): void {
  const messages = ".red-ui-debug-msg-level-20 .red-ui-debug-msg-payload";

  itOnBoth("shows every error as one sentence, which begins with the label of the dialog", async () => {
    const { editor, nodeRed } = bench;
    const { page } = editor;
    await page.evaluate(`RED.sidebar.show("debug"); RED.actions.invoke("core:clear-debug-messages")`);
    await nodeRed.inject("begin");
    const texts = async (): Promise<readonly string[]> =>
      (await page.locator(messages).allInnerTexts()).map((text) => text.trim().replace(/^"|"$/g, ""));
    const missing = async (): Promise<readonly Failing[]> => {
      const known = await texts();
      return FAILING.filter(({ says }) => !known.some((text) => says.test(text)));
    };
    await waitFor("all errors", async () => (await missing()).length === 0).catch(async (error: Error) =>
      assert.fail(
        [
          error.message,
          ...(await missing()).map(({ node, says }) => `${node.type} ${says}`),
          ...(await texts()),
        ].join("\n"),
      ),
    );
    for (const text of await texts()) {
      assert.doesNotMatch(text, /^\{|stack|Error"/, text);
    }
  });
}

onEachEditor("the debug sidebar", debugSidebarTests, { flows: FLOWS });
