import assert from "node:assert/strict";
import { allExamples, type Example } from "../support/examples";
import { type Bench, onEachNodeRed } from "../support/on-each-node-red";

type Check = (bench: Bench, example: Example) => Promise<void>;

/** What each example must do, by file name. An example without an entry fails. */
const CHECKS: Readonly<Record<string, Check>> = {
  "01 - Send one SMS": async ({ nodeRed, simulator, statuses }, example) => {
    await nodeRed.inject(example.id("Send a greeting"));
    const [left] = await nodeRed.messages(example.id("Send SMS"), 0);
    assert.equal(left?.to, example.id("Accepted"));
    assert.equal(left?.msg.result.outcome, "sent");
    assert.equal(left?.msg.result.simulated, true);

    const [taken, ...more] = await simulator.messages(example.id("messaging-account"));
    assert.deepEqual(more, []);
    assert.equal(taken?.content, "Hello from Node-RED: Grüße aus Zürich!");
    assert.deepEqual(taken?.recipients, ["999555000001"]);
    assert.equal(taken?.transferId, left?.msg.result.transferId);
    await statuses.waitFor(example.id("Accepted"), ({ text }) => text === "OK");
  },

  "02 - Send to a list from CSV and sum up with Join": async ({ nodeRed, simulator }, example) => {
    await nodeRed.inject(example.id("Start"));
    const [report, ...more] = await nodeRed.messages(example.id("Sum up"), 0);
    assert.deepEqual(more, []);
    assert.deepEqual(report?.msg.payload, {
      requests: 3,
      accepted: 2404,
      sms: 2404,
      failed: 1,
      byOutcome: { queued: 2404, rejected: 1 },
      badNumbers: ["12"],
      simulated: true,
    });
    assert.equal(report?.msg.parts, undefined);
    const taken = await simulator.messages(example.id("messaging-account"));
    assert.deepEqual(
      taken.map(({ recipients }) => recipients.length).sort((a, b) => b - a),
      [1000, 1000, 404],
    );
  },

  "03 - Handle every outcome": async ({ nodeRed, simulator }, example) => {
    const account = example.id("messaging-account");
    const reactions: readonly (readonly [button: string, outcome: string, reaction: string, said: RegExp])[] =
      [
        ["Sent", "sent", "note the transfer id", /^Accepted as [0-9a-f]{20}\./],
        ["Queued", "queued", "wait for the report", /^Queued as [0-9a-f]{20}:/],
        [
          "Rejected: on the blacklist",
          "rejected",
          "correct the message",
          /^Not sent to 999004031\. .*blacklist/,
        ],
        ["Denied: no access", "denied", "tell the administrator", /^Not sent, and nothing will .*interface/],
        [
          "Unknown: connection lost",
          "unknown",
          "check before sending again",
          /^It may have been sent\. Look for [0-9a-f-]{36} /,
        ],
        ["Try again: limit used up", "retry-later", "give up", /^Given up after 3 tries\. .*limit/],
      ];
    for (const [button, outcome, reaction, said] of reactions) {
      await nodeRed.clearRecording();
      await simulator.reset(account);
      await nodeRed.inject(example.id(button));
      const [left] = await nodeRed.messages(example.id(reaction), 0);
      assert.equal(left?.msg.result.outcome, outcome);
      assert.match(left?.msg.payload, said);
      const requests = await simulator.requests(account);
      assert.equal(requests.length, outcome === "retry-later" ? 3 : 1, `requests for ${outcome}`);
    }
    await nodeRed.clearRecording();
    await nodeRed.inject(example.id("Rejected, and nobody listens"));
    const [caught] = await nodeRed.messages(example.id("Catch the failure"), 0);
    assert.equal(caught?.msg.error.source.id, example.id("Send, only success wired"));
    assert.equal(caught?.msg.result.statusName, "INVALID_RECIPIENT");
  },
};

describe("examples", () => {
  const examples = allExamples();

  it("are each checked here", () => {
    assert.deepEqual(examples.map(({ name }) => name).sort(), Object.keys(CHECKS).sort());
  });

  for (const { name, flows } of examples) {
    it(`${name}: stands on its own and holds no secret`, () => {
      const ids = new Set(flows.map(({ id }) => id));
      assert.equal(ids.size, flows.length, "ids are unique");
      for (const node of flows) {
        assert.equal(node.credentials, undefined);
        for (const target of (node.wires ?? []).flat())
          assert.ok(ids.has(target), `${node.id} leads nowhere`);
      }
      const accounts = flows.filter(({ type }) => type === "messaging-account");
      assert.deepEqual(
        accounts.map(({ service }) => service),
        ["simulator"],
      );
      const notes = flows.filter(({ type }) => type === "comment");
      assert.ok(
        notes.some(({ info }) => /go live/.test(String(info))),
        "a comment says how to go live",
      );
    });
  }

  it("share one account, so that importing all of them makes one", () => {
    const accounts = examples.map(({ flows }) => flows.find(({ type }) => type === "messaging-account"));
    for (const account of accounts) assert.deepEqual(account, accounts[0]);
  });

  onEachNodeRed("run right after import", (bench) => {
    for (const example of examples) {
      it(example.name, async () => {
        await bench.nodeRed.deploy(example.flows);
        await bench.nodeRed.clearRecording();
        const check = CHECKS[example.name];
        assert.ok(check, "this example has no check");
        await check(bench, example);
        assert.doesNotMatch(bench.nodeRed.logs(), /\[error\] \[sms-send:Send SMS\]/);
        await bench.simulator.reset(example.id("messaging-account"));
      });
    }
  });
});
