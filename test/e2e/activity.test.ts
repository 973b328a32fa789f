import assert from "node:assert/strict";
import type { ActivityState } from "../../lib/shared/activity";
import type { ActionAnswer, SimulatorView } from "../../lib/shared/simulator-panel";
import type { Flows } from "../support/node-red/admin-client";
import { END, sender, simulated, tab, textTo, webhook } from "../support/node-red/flow-nodes";
import { onEachNodeRed } from "../support/node-red/on-each-node-red";
import { ownNodeRed } from "../support/node-red/own-node-red";
import { restart } from "../support/node-red/restart";
import { waitFor } from "../support/wait-for";

const MODULE = "@messaging-service/node-red-messaging";
const ACTIVITY = "/messaging-account/activity";
const SIMULATOR = "/messaging-account/sim/simulator";

const FLOWS: Flows = [
  tab("activity"),
  simulated("sim"),
  {
    id: "real",
    type: "messaging-account",
    name: "",
    service: "service",
    serviceAddress: "http://127.0.0.1:9",
    legacyAuth: "none",
    keepMessages: "memory",
  },
  textTo("go", "41791234567"),
  sender("send", "sms-send", "sim"),
  webhook("in", "inbound", { account: "sim", outputs: 2 }),
  END,
];

const RCS: Flows = [
  textTo("go-rcs", "", { props: [{ p: "payload" }], payload: "Coming?", wires: [["rcs"]] }),
  sender("rcs", "rcs-send", "sim", {
    kind: "text",
    recipients: "+41797654321",
    recipientsSource: "str",
    textMessage: "payload",
    textMessageSource: "msg",
    suggestions: JSON.stringify(["Yes", { text: "No", data: "not-me" }]),
    suggestionsSource: "json",
  }),
];

/** An action that a webhook was told of. */
const TOLD = { told: 1, refused: [] };

onEachNodeRed("activity sidebar", (bench) => {
  const get = async <Body>(path: string): Promise<Body> => (await bench.nodeRed.request("GET", path)) as Body;
  const play = async (action: string, input: object): Promise<ActionAnswer> =>
    (await bench.nodeRed.request("POST", `${SIMULATOR}/${action}`, input)) as ActionAnswer;

  beforeEach(async () => {
    await bench.nodeRed.deploy(FLOWS);
    await bench.nodeRed.request("DELETE", ACTIVITY);
    await bench.nodeRed.clearRecording();
  });

  it("is loaded, with its texts", async () => {
    const plugins = await get<{ id: string; err?: string }[]>("/plugins");
    const plugin = plugins.find(({ id }) => id === `${MODULE}/messaging-activity`);
    assert.ok(plugin && !plugin.err);
    const catalogues = await get<Record<string, { "messaging-activity"?: { tab: string } }>>(
      "/plugins/messages?lng=en-US",
    );
    assert.ok(catalogues[`${MODULE}/messaging-activity`]?.["messaging-activity"]?.tab);
  });

  it("tells what was sent, and the other side can answer it, report on it and change what is answered next", async () => {
    await bench.nodeRed.inject("go");
    await bench.nodeRed.nextFrom("send");
    const { entries } = await get<ActivityState>(ACTIVITY);
    assert.deepEqual(
      entries.map(({ node, result, who, code, simulated }) => [node, result, who, code, simulated]),
      [["send", "sent", "+4179…567", 2000, true]],
    );
    const { messages, hears } = await get<SimulatorView>(`${SIMULATOR}/texts`);
    assert.deepEqual(hears, { inbound: true, status: false });
    const [newest] = messages;
    assert.deepEqual([newest?.channel, newest?.who, newest?.text], ["sms", "+4179…567", "Hello"]);

    const { transferId } = newest!;
    assert.deepEqual(await play("reply", { transferId, text: "Hello back" }), TOLD);
    const { msg } = await bench.nodeRed.nextFrom("in");
    assert.deepEqual([msg.topic, msg.payload.textMessageContent], ["41791234567", "Hello back"]);
    assert.deepEqual(await play("status", { transferId, status: "failed" }), { ...TOLD, told: 0 });

    await play("next-answer", { statusCode: 4031 });
    await bench.nodeRed.clearRecording();
    await bench.nodeRed.inject("go");
    assert.equal((await bench.nodeRed.nextFrom("send")).msg.result.statusCode, 4031);
    await play("next-answer", { statusCode: 4031 });
    await play("normal", {});
    await bench.nodeRed.clearRecording();
    await bench.nodeRed.inject("go");
    assert.equal((await bench.nodeRed.nextFrom("send")).msg.result.statusCode, 2000);
  });

  it("lets somebody write first", async () => {
    assert.deepEqual(
      await play("write", { channel: "whatsapp", sender: "+41790000001", text: "Anybody?" }),
      TOLD,
    );
    const { msg } = await bench.nodeRed.nextFrom("in");
    assert.deepEqual([msg.topic, msg.payload.content], ["+41790000001", "Anybody?"]);
  });

  it("taps a suggestion of an RCS message, and says how the conversation went on", async () => {
    await bench.nodeRed.deploy([...FLOWS, ...RCS]);
    await bench.nodeRed.inject("go-rcs");
    await bench.nodeRed.nextFrom("rcs");
    const [sent] = (await get<SimulatorView>(`${SIMULATOR}/texts`)).messages;
    assert.deepEqual(
      [sent?.number, sent?.suggestions.map(({ text }) => text)],
      ["+41797654321", ["Yes", "No"]],
    );
    assert.deepEqual(await play("tap", { transferId: sent?.transferId, suggestion: 1 }), TOLD);
    const { msg } = await bench.nodeRed.nextFrom("in");
    assert.deepEqual(
      [msg.topic, msg.payload.content, msg.payload.suggestedResponse],
      ["+41797654321", "No", { response: { reply: { displayText: "No", postback: { data: "not-me" } } } }],
    );
    const [heard] = (await get<SimulatorView>(`${SIMULATOR}/texts`)).replies;
    assert.deepEqual([heard?.who, heard?.text, heard?.tapped], ["+4179…321", "No", true]);
    const [masked] = (await get<SimulatorView>(SIMULATOR)).replies;
    assert.deepEqual([masked?.number, masked?.text], [null, null]);
    const missing = { transferId: sent?.transferId, suggestion: 2 };
    assert.deepEqual(await bench.nodeRed.request("POST", `${SIMULATOR}/tap`, missing), { error: "invalid" });
  });

  it("goes on counting over a deploy, and forgets when it is told to", async () => {
    await bench.nodeRed.inject("go");
    await bench.nodeRed.nextFrom("send");
    await bench.nodeRed.deploy(FLOWS);
    assert.equal((await get<ActivityState>(ACTIVITY)).tallies[0]?.counters.sent, 1);
    await bench.nodeRed.request("DELETE", ACTIVITY);
    assert.deepEqual((await get<ActivityState>(ACTIVITY)).tallies, []);
  });

  it("counts after a restart what an account that keeps its messages did before it, and says since when", async () => {
    const kept = { ...simulated("sim"), keepMessages: "computer", storeFolder: "kept-over-a-restart" };
    await bench.nodeRed.deploy(FLOWS.map((node) => (node.id === "sim" ? kept : node)));
    await bench.nodeRed.inject("go");
    await bench.nodeRed.nextFrom("send");
    const [before] = (await get<ActivityState>(ACTIVITY)).tallies;
    await restart(bench, "stop");
    const after = await waitFor("the counts of before", async () => {
      const state = await get<ActivityState>(ACTIVITY);
      const [tally] = state.tallies;
      return tally?.counters.sent === undefined ? null : { ...tally, start: state.since };
    });
    assert.equal(after.account, "sim");
    assert.equal(after.counters.sent, 1);
    assert.deepEqual(
      after.minutes.map(({ accepted }) => accepted),
      before?.minutes.map(({ accepted }) => accepted),
    );
    const now = new Date();
    assert.equal(after.since, now.setHours(0, 0, 0, 0));
    assert.ok(after.since < after.start);
  });

  const refused = (...faults: readonly string[]) => ({ told: 0, refused: faults });
  const REFUSED: readonly (readonly [title: string, path: string, body: object, answer: object])[] = [
    ["a real account", "/messaging-account/real/simulator/normal", {}, { error: "not-simulated" }],
    ["no account", "/messaging-account/send/simulator/normal", {}, { error: "not-running" }],
    ["a message that is not there", `${SIMULATOR}/reply`, { transferId: "00", text: "x" }, { error: "gone" }],
    [
      "neither number nor text",
      `${SIMULATOR}/write`,
      { channel: "sms", sender: "Ada", text: "" },
      refused("number.not-a-number", "text.none"),
    ],
  ];
  for (const [title, path, body, answer] of REFUSED) {
    it(`says why nobody can play with ${title}`, async () => {
      assert.deepEqual(await bench.nodeRed.request("POST", path, body), answer);
    });
  }

  it("refuses what the panel never asks for", async () => {
    const asks: readonly (readonly [path: string, body: object, headers?: Record<string, string>])[] = [
      ["write", { channel: "pigeon", sender: "+41790000001", text: "x" }],
      ["next-answer", { statusCode: "4031" }],
      ["normal", {}, { "content-type": "text/plain" }],
    ];
    for (const [path, body, headers] of asks) {
      await assert.rejects(bench.nodeRed.request("POST", `${SIMULATOR}/${path}`, body, headers), /: 400 /);
    }
  });
});

describe("activity sidebar of somebody who may only read", () => {
  const own = ownNodeRed({
    version: 4,
    flows: FLOWS,
    settings: { adminAuth: { type: "credentials", users: [], default: { permissions: ["flows.read"] } } },
  });

  it("shows, but neither forgets nor plays", async () => {
    const { nodeRed } = own;
    await nodeRed.request("GET", ACTIVITY);
    await waitFor("the simulator", async () => {
      const view = (await nodeRed.request("GET", SIMULATOR)) as SimulatorView;
      return view.hears.inbound;
    });
    await assert.rejects(nodeRed.request("DELETE", ACTIVITY), /: 401 /);
    for (const action of ["reply", "write", "status", "next-answer", "normal"]) {
      await assert.rejects(nodeRed.request("POST", `${SIMULATOR}/${action}`, {}), /: 401 /);
    }
  });
});
