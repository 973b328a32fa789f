import assert from "node:assert/strict";
import { SMS_FIELDS } from "../../lib/shared/fields/sms-fields";
import type { Flows } from "../support/node-red/admin-client";
import { onEachNodeRed } from "../support/node-red/on-each-node-red";
import { untouched } from "../support/untouched-fields";

const ACCOUNT = "slow-account";
const PERSON = "+999555000001";

const FLOWS: Flows = [
  { id: "tab", type: "tab", label: "ask" },
  { id: ACCOUNT, type: "messaging-account", name: "", service: "simulator", keepMessages: "memory" },
  {
    id: "ask",
    type: "inject",
    z: "tab",
    props: [{ p: "payload" }, { p: "to", v: PERSON, vt: "str" }],
    payload: "Will you come?",
    payloadType: "str",
    repeat: "",
    crontab: "",
    once: false,
    wires: [["send"]],
  },
  {
    id: "send",
    type: "sms-send",
    z: "tab",
    account: ACCOUNT,
    ...untouched(SMS_FIELDS),
    outputs: 4,
    wires: [["wait"], [], [], []],
  },
  {
    id: "wait",
    type: "message-wait",
    z: "tab",
    account: ACCOUNT,
    kind: "reply",
    within: "5 min",
    withinSource: "str",
    match: "pattern",
    pattern: String.raw`^(\w+\s?)*$`,
    others: "output",
    outputs: 4,
    wires: [["end"], [], [], ["end"]],
  },
  {
    id: "hook",
    type: "webhook-in",
    z: "tab",
    account: ACCOUNT,
    kind: "inbound",
    credentials: { secret: "a-secret-only-for-tests" },
    wires: [["end"], ["end"]],
  },
  { id: "end", type: "debug", z: "tab", active: false, wires: [] },
];

onEachNodeRed("a pattern that one reply keeps busy", (bench) => {
  it("holds up nothing in the package as it is installed: the reply is another one, and the next one is compared", async () => {
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
