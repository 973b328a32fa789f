import assert from "node:assert/strict";
import { SMS_FIELDS } from "../../lib/shared/fields/sms-fields";
import type { Flows } from "../support/node-red/admin-client";
import { END, sender, simulated, tab, textTo, webhook } from "../support/node-red/flow-nodes";
import { onEachNodeRed } from "../support/node-red/on-each-node-red";
import { untouched } from "../support/untouched-fields";

const ACCOUNT = "slow-account";
const PERSON = "+999555000001";

const FLOWS: Flows = [
  tab("ask"),
  simulated(ACCOUNT),
  textTo("ask", PERSON, { payload: "Will you come?" }),
  sender("send", "sms-send", ACCOUNT, { ...untouched(SMS_FIELDS), wires: [["wait"], [], [], []] }),
  sender("wait", "message-wait", ACCOUNT, {
    kind: "reply",
    within: "5 min",
    withinSource: "str",
    match: "pattern",
    pattern: String.raw`^(\w+\s?)*$`,
    others: "over",
  }),
  webhook("hook", "inbound", { account: ACCOUNT, credentials: { secret: "a-secret-only-for-tests" } }),
  END,
];

onEachNodeRed("a pattern that one reply keeps busy", (bench) => {
  it("holds up nothing in the package as it is installed: the reply ends no question, and the next one is compared", async () => {
    const { nodeRed, statuses, simulator } = bench;
    const write = (text: string): Promise<unknown> =>
      nodeRed.request("POST", `/messaging-account/${ACCOUNT}/simulator/write`, {
        channel: "sms",
        sender: PERSON,
        text,
      });
    await nodeRed.deploy(FLOWS);
    await nodeRed.clearRecording();
    await nodeRed.inject("ask");
    await statuses.waitFor("wait", ({ text }) => /waiting for 1/.test(text ?? ""));
    await write(`${"a".repeat(60)}!`);
    await statuses.waitFor("wait", ({ text }) => /pattern is too slow/.test(text ?? ""));
    const [other] = await nodeRed.messages("wait", 3);
    assert.equal(other?.msg.wait.text, `${"a".repeat(60)}!`);
    await write("yes please");
    const [happened] = await nodeRed.messages("wait", 0);
    assert.equal(happened?.msg.wait.text, "yes please");
    await simulator.reset(ACCOUNT);
  });
});
