import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { Account } from "../../../lib/runtime/account/account";
import { replyNodes, replyToPerson } from "../../../lib/runtime/send/reply-to-person";
import { Gone } from "../../../lib/runtime/store/history/history-view";
import { useFolder } from "../../unit/store/use-folder";
import { waitFor } from "../../support/wait-for";
import { resultOf, SENDER, stopFlow, type TestFlow } from "../flow";
import { useSimulator } from "../use-simulator";
import { type Config, requestCount, startStored, storeOf, textsAt } from "./stored-flow";

const PERSON = "41790000001";

describe("a reply that a person types", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  const start = (sender: Config = {}, account: Config = {}): Promise<TestFlow> =>
    startStored(simulator, folder(), { account: { keepTexts: true, ...account }, sender });
  const reply = (flow: TestFlow, text: string, node = SENDER, patience?: number) =>
    replyToPerson(Account.of(flow.account), node, PERSON, text, patience);
  const nodesOf = (flow: TestFlow) => replyNodes(Account.of(flow.account));

  it("is sent as it is, once, with the fixed fields of the node, and its result leaves the node", async () => {
    const flow = await start({
      braces: "fill",
      messageContent: "Dear {{name}}",
      messageContentSource: "str",
      recipientAddressList: "payload",
      recipientAddressListSource: "msg",
      senderAddress: "Shop",
      senderAddressSource: "str",
      contentCategory: "event.category",
      contentCategorySource: "msg",
      clientMessageId: "order {{id}}",
      clientMessageIdSource: "str",
      onceKey: "event.key",
      onceKeySource: "msg",
    });
    assert.deepEqual(nodesOf(flow), [{ node: SENDER, channel: "sms" }]);
    assert.deepEqual(await reply(flow, "Yes, {{name}} at ten"), {
      outcome: "sent",
      text: (await sayings(flow)).join(" "),
    });
    const [msg, ...more] = (await flow.all.until(1)) as readonly (NodeMessage & Config)[];
    assert.deepEqual(
      [more, msg?.payload, msg?.to, resultOf(msg!).outcome],
      [[], "Yes, {{name}} at ten", `+${PERSON}`, "sent"],
    );
    assert.deepEqual(textsAt(simulator), ["Yes, {{name}} at ten"]);
    const [taken] = simulator.main.messages;
    assert.equal(taken?.fields.senderAddress, "Shop");
    assert.equal(taken?.fields.contentCategory, undefined);
    assert.deepEqual(taken?.recipients, [PERSON]);
    await waitFor("it in the store", async () => (await requestCount(folder(), "emitted")) === 1);
    const { store, account } = await storeOf(flow);
    const asked = { account, number: PERSON, since: 0, most: 9, unsent: true };
    const [bubble] = await store.history.conversation(asked);
    assert.match(String(bubble?.direction === "out" && bubble.content), /Yes, \{\{name\}\} at ten/);
  });

  /** What the result of the only message says. */
  async function sayings(flow: TestFlow): Promise<readonly string[]> {
    const [msg] = await flow.all.until(1);
    const { statusMessage, advice } = resultOf(msg);
    return [statusMessage, advice];
  }

  it("keeps to the rules of the account: nothing goes to who opted out", async () => {
    const flow = await start();
    await (await Account.of(flow.account).optOuts()).add([PERSON], "all", "flow");
    const { outcome, text } = await reply(flow, "Hello");
    assert.equal(outcome, "skipped");
    assert.match(text, /do not want messages of this account/);
    assert.deepEqual(textsAt(simulator), []);
  });

  it("says what the service refuses", async () => {
    const flow = await start({ wires: [[], [], [], []] });
    simulator.main.addFault({ times: 1, answer: { statusCode: 4031 } });
    const refused = await reply(flow, "Hello");
    assert.equal(refused.outcome, "rejected");
    assert.match(refused.text, /blacklist/);
    assert.equal(textsAt(simulator).length, 0);
  });

  it("waits where all sending is stopped, and says that it waits", async () => {
    const flow = await start({}, { stopSending: true });
    assert.deepEqual(await reply(flow, "Hello", SENDER, 50), { outcome: null, text: "" });
    await waitFor("it in the store", async () => (await requestCount(folder(), "queued")) === 1);
    assert.deepEqual(textsAt(simulator), []);
  });

  it("goes by no node that does not run, or would send something else than the text", async () => {
    const flow = await start({ messageType: "voice", messageTypeSource: "choice" });
    assert.deepEqual(nodesOf(flow), []);
    await assert.rejects(reply(flow, "Hello"), Gone);
    await assert.rejects(reply(flow, "Hello", "nobody"), Gone);
    assert.deepEqual(textsAt(simulator), []);
  });

  it("goes by WhatsApp and RCS nodes that send texts", async () => {
    for (const [type, settings, channel] of [
      ["whatsapp-send", { kind: "text", outsideWindow: "reject" }, "whatsapp"],
      ["whatsapp-send", { kind: "text", outsideWindow: "template" }, null],
      ["whatsapp-send", { kind: "template" }, null],
      ["rcs-send", { kind: "text" }, "rcs"],
      ["rcs-send", { kind: "card" }, null],
    ] as const) {
      const flow = await start({ type, ...settings });
      assert.deepEqual(nodesOf(flow), channel === null ? [] : [{ node: SENDER, channel }]);
      await stopFlow();
    }
    const flow = await start({ type: "rcs-send", kind: "text" });
    assert.equal((await reply(flow, "Hello")).outcome, "sent");
    assert.deepEqual(textsAt(simulator), ["Hello"]);
  });
});
