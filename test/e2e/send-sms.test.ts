import assert from "node:assert/strict";
import { SMS_FIELDS } from "../../lib/shared/fields/sms-fields";
import type { FlowNode, Flows } from "../support/node-red/admin-client";
import { onEachNodeRed } from "../support/node-red/on-each-node-red";
import { untouched } from "../support/untouched-fields";
import { waitFor } from "../support/wait-for";

const ACCOUNT = "e2e-account";
const MANY = 2500;

function inject(id: string, to: string, payload: string): FlowNode {
  return {
    id,
    type: "inject",
    z: "tab",
    props: [{ p: "payload" }, { p: "to", v: to, vt: "jsonata" }],
    payload,
    payloadType: "str",
    repeat: "",
    crontab: "",
    once: false,
    wires: [["send"]],
  };
}

const FLOWS: Flows = [
  { id: "tab", type: "tab", label: "send" },
  { id: ACCOUNT, type: "messaging-account", name: "", service: "simulator", keepMessages: "memory" },
  inject("one", '"+41 79 123 45 67"', "Grüße"),
  inject("many", `[1..${MANY}].("+99955" & $string(1000000 + $))`, "To all"),
  inject("blacklisted", '"+999004031"', "Hello"),
  inject("lost", '"+999020001"', "Hello"),
  {
    id: "send",
    type: "sms-send",
    z: "tab",
    name: "",
    account: ACCOUNT,
    interface: "automatic",
    ...untouched(SMS_FIELDS),
    resultProperty: "result",
    outputs: 4,
    wires: [["end"], ["end"], ["end"], ["end"]],
  },
  { id: "end", type: "debug", z: "tab", active: false, complete: "result", targetType: "msg", wires: [] },
];

onEachNodeRed("sms-send", (bench) => {
  beforeEach(async () => {
    await bench.nodeRed.deploy(FLOWS);
    await bench.nodeRed.clearRecording();
  });

  afterEach(() => bench.simulator.reset(ACCOUNT));

  it("writes Latin-1 to the wire and says that nothing was really sent", async () => {
    await bench.nodeRed.inject("one");
    const [left] = await bench.nodeRed.messages("send", 0);
    const requests = await bench.simulator.requests(ACCOUNT);
    assert.deepEqual(
      requests.map(({ operation, method }) => [operation, method]),
      [["sms-form", "POST"]],
    );
    assert.match(requests[0]?.rawBody ?? "", /(^|&)messageContent=Gr%FC%DFe(&|$)/);
    assert.match(requests[0]?.rawBody ?? "", /(^|&)recipientAddressList=41791234567(&|$)/);
    assert.equal(left?.msg.result.simulated, true);
    assert.equal(left?.msg.result.smsCount, 1);
    assert.equal(left?.msg.parts, undefined);
    await bench.statuses.waitFor(
      "send",
      ({ text, fill }) => /simulated.*\b1 accepted/i.test(text ?? "") && fill === "green",
    );
  });

  it(`sends to ${MANY} recipients in three requests, to each once`, async () => {
    await bench.nodeRed.inject("many");
    const left = await bench.nodeRed.messages("send", 0, 3);
    const requests = await bench.simulator.requests(ACCOUNT);
    assert.equal(requests.length, 3);
    const wanted = Array.from({ length: MANY }, (_, index) => `99955${1_000_001 + index}`);
    const taken = (await bench.simulator.messages(ACCOUNT)).map(({ recipients }) => recipients);
    assert.deepEqual(
      taken.map(({ length }) => length).sort((a, b) => b - a),
      [1000, 1000, 500],
    );
    const told = taken.flat();
    assert.deepEqual(told.map((number) => number.replace("+", "")).sort(), wanted);
    assert.deepEqual(left.flatMap(({ msg }): string[] => msg.result.recipients).sort(), wanted);
    assert.deepEqual(
      left.map(({ msg }): number => msg.parts.index).sort((a, b) => a - b),
      [0, 1, 2],
    );
    for (const { msg } of left) {
      assert.equal(msg.parts.count, 3);
      assert.deepEqual(msg.to, msg.result.recipients);
    }
    await bench.statuses.waitFor("send", ({ text }) => /simulated.*\b2,500 accepted/i.test(text ?? ""));
    const completions = async () =>
      (await bench.nodeRed.recording()).completions.filter(({ node }) => node === "send");
    await waitFor("the end of its work", async () => (await completions()).length > 0);
    assert.deepEqual(
      (await completions()).map(({ error }) => error),
      [null],
    );
  });

  it("shows failures in the badge, each by its output", async () => {
    await bench.nodeRed.inject("blacklisted");
    const [rejected] = await bench.nodeRed.messages("send", 1);
    assert.equal(rejected?.msg.result.statusCode, 4031);
    await bench.statuses.waitFor(
      "send",
      ({ text, fill }) => /simulated.*\b1 rejected/i.test(text ?? "") && fill === "red",
    );

    await bench.nodeRed.inject("lost");
    const [unknown] = await bench.nodeRed.messages("send", 3);
    assert.equal(unknown?.msg.result.outcome, "unknown");
    assert.equal(unknown?.msg.result.attempts, 1);
    assert.equal((await bench.simulator.requests(ACCOUNT)).length, 2);
    await bench.statuses.waitFor("send", ({ text }) =>
      /simulated.*\b1 unknown.*\b1 rejected/i.test(text ?? ""),
    );
  });

  it("keeps the credentials of the simulator out of log, messages and admin API", async () => {
    await bench.nodeRed.inject("one");
    await bench.nodeRed.messages("send", 0);
    const seen = [
      bench.nodeRed.logs(),
      JSON.stringify(await bench.nodeRed.recording()),
      JSON.stringify(await bench.nodeRed.flows()),
      JSON.stringify(await bench.nodeRed.request("GET", `/credentials/messaging-account/${ACCOUNT}`)),
    ];
    for (const text of seen) assert.doesNotMatch(text, /simulated-(password|access-token|client-secret)/);
  });
});
