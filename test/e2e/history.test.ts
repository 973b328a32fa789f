import assert from "node:assert/strict";
import {
  type DeletedNumber,
  EXPORT_COLUMNS,
  type HistoryPage,
  type MessageLife,
  type QueueView,
  type SendingView,
} from "../../lib/shared/history/history";
import { spacedNumber } from "../../lib/shared/recipients/spaced-number";
import { csvRequest } from "../support/csv/csv-request";
import { readCsv } from "../support/csv/read-csv";
import type { Flows } from "../support/node-red/admin-client";
import { onEachNodeRed } from "../support/node-red/on-each-node-red";
import { temporaryFolder } from "../support/node-red/packed-package";
import { fillStore, PEOPLE } from "../support/store/fill-store";

const HISTORY = "/messaging-account/kept/history";
const SENDING = "/messaging-account/kept/sending";
const QUEUE = "/messaging-account/kept/queue";

const flowsOf = (storeFolder: string): Flows => [
  { id: "tab", type: "tab", label: "history" },
  { id: "kept", type: "messaging-account", service: "simulator", keepMessages: "computer", storeFolder },
  { id: "device", type: "messaging-account", service: "simulator", keepMessages: "memory" },
  {
    id: "sender",
    type: "sms-send",
    z: "tab",
    name: "=Orders, daily",
    account: "kept",
    outputs: 4,
    wires: [[], [], [], []],
  },
];

onEachNodeRed("history and queue of an account", (bench) => {
  const post = async <Body>(path: string, body: object): Promise<Body> =>
    (await bench.nodeRed.request("POST", path, body)) as Body;
  const file = async (path: string, body: object): Promise<Response> => {
    const answer = await fetch(bench.nodeRed.url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200);
    return answer;
  };
  const find = async (query: object): Promise<readonly string[]> => {
    const { entries } = await post<HistoryPage>(`${HISTORY}/search`, { query, after: null });
    return entries.map(({ recipient }) => recipient.slice(1));
  };
  const look = (): Promise<QueueView> => post(`${QUEUE}/look`, { after: 0 });

  beforeEach(async () => {
    const folder = await temporaryFolder("history");
    await fillStore(folder, { account: "kept", node: "sender" });
    await bench.nodeRed.deploy(flowsOf(folder));
  });
  afterEach(() => bench.nodeRed.deploy([{ id: "tab", type: "tab", label: "empty" }]));

  it("finds messages by number, ids, node, outcome and time, and shows the life of one", async () => {
    assert.deepEqual(await find({ number: `+${PEOPLE.refused}` }), [PEOPLE.refused]);
    assert.deepEqual(await find({ number: "0041 79 111 00 03" }), [PEOPLE.refused]);
    assert.deepEqual(await find({ transferId: "transfer-2" }), [PEOPLE.read]);
    assert.deepEqual(await find({ clientMessageId: "order-read", node: "sender" }), [PEOPLE.read]);
    assert.deepEqual(await find({ outcome: "rejected", to: Date.now() }), [PEOPLE.refused]);
    assert.deepEqual(await find({ outcome: "rejected", from: Date.now() }), []);
    const { entries } = await post<HistoryPage>(`${HISTORY}/search`, {
      query: { number: PEOPLE.delivered },
      after: null,
    });
    const [{ request, place } = { request: 0, place: 0 }] = entries;
    const life = await post<MessageLife>(`${HISTORY}/message`, { request, place });
    assert.deepEqual(
      life.steps.map(({ kind }) => kind),
      ["queued", "sending", "answered", "delivered", "reply"],
    );
  });

  it("gives an export of what is found, which no spreadsheet calculates", async () => {
    const header = EXPORT_COLUMNS.map((column) => (column === "takenAt" ? "Übernommen; Bern" : column));
    const csv = csvRequest({ form: "semicolon", language: "de", zone: "Europe/Zurich", header });
    const answer = await file(`${HISTORY}/export`, { query: { number: PEOPLE.read }, csv });
    assert.match(answer.headers.get("content-type") ?? "", /^text\/csv/);
    assert.match(answer.headers.get("content-disposition") ?? "", /^attachment/);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    const [titles = [], line = [], ...rest] = readCsv(await answer.text(), ";");
    assert.deepEqual(titles.slice(0, 5), ["Übernommen; Bern", "recipient", "name", "row", "channel"]);
    assert.deepEqual(line.slice(1, 5), [spacedNumber(PEOPLE.read), "", "", "WhatsApp"]);
    assert.equal(line[EXPORT_COLUMNS.indexOf("node")], "'=Orders, daily");
    assert.deepEqual(rest, []);
  });

  it("deletes everything about a number, and says what is still on its way", async () => {
    const deleted = await post<DeletedNumber>(`${HISTORY}/delete-number`, { number: `+${PEOPLE.delivered}` });
    assert.deepEqual(deleted, { recipients: 1, events: 2, open: 0, gathered: 0 });
    assert.deepEqual(await find({ number: PEOPLE.delivered }), []);
    const waiting = await post<DeletedNumber>(`${HISTORY}/delete-number`, { number: PEOPLE.waiting });
    assert.deepEqual(waiting, { recipients: 0, events: 0, open: 12, gathered: 0 });
  });

  it("shows the queue, and pauses, resumes and cancels it and its jobs", async () => {
    const before = await look();
    assert.deepEqual([before.waiting, before.stranded, before.sending], [12, 3, 0]);
    const stopped = await post<SendingView>(`${SENDING}/look`, {});
    assert.match(stopped.stoppedSince ?? "", /^20/);
    assert.deepEqual([stopped.stoppedBySettings, stopped.waiting], [false, 12]);
    const job = before.jobs.find(({ node, waiting }) => node === "sender" && waiting === 12);
    assert.ok(job);
    assert.deepEqual(await post(`${QUEUE}/pause`, { job: job.id }), { requests: 12 });
    const goesOn = { stoppedSince: null, stoppedBySettings: false, waiting: 0 };
    assert.deepEqual(await post(`${SENDING}/go-on`, {}), goesOn);
    const paused = await look();
    assert.deepEqual([paused.paused, paused.waiting], [12, 0]);
    assert.deepEqual(await post(`${QUEUE}/cancel`, { job: job.id }), { requests: 12 });
    assert.deepEqual(await post(`${QUEUE}/cancel`, {}), { requests: 3 });
    const { entries } = await post<HistoryPage>(`${HISTORY}/search`, {
      query: { number: PEOPLE.waiting },
      after: null,
    });
    assert.deepEqual(
      [...new Set(entries.map(({ outcome, statusName, source }) => `${outcome} ${statusName} ${source}`))],
      ["retry-later CANCELLED local"],
    );
  });

  it("hands out and discards a job without a node, and leaves jobs with one alone", async () => {
    const { strandedJobs, jobs } = await look();
    const [stranded] = strandedJobs;
    assert.equal(stranded?.node, "a-node-that-is-gone");
    const other = jobs.find(({ node, waiting }) => node === "sender" && waiting > 0);
    assert.deepEqual(await post(`${QUEUE}/discard`, { job: other!.id }), { error: "has-node" });
    const answer = await file(`${QUEUE}/save`, { job: stranded.id });
    const saved = (await answer.json()) as { message: object; requests: { recipients: string[] }[] };
    assert.deepEqual(saved.message, { payload: "Hi" });
    assert.deepEqual(
      saved.requests.map(({ recipients }) => recipients),
      Array(3).fill([PEOPLE.stranded]),
    );
    assert.deepEqual(await post(`${QUEUE}/discard`, { job: stranded.id }), { requests: 3 });
    assert.deepEqual((await look()).strandedJobs, []);
    assert.deepEqual(await post(`${QUEUE}/discard`, { job: stranded.id }), { error: "gone" });
  });

  it("says why there is none", async () => {
    const search = { query: {}, after: null };
    const at = (id: string) => `/messaging-account/${id}/history/search`;
    assert.deepEqual(await post(at("device"), search), { error: "memory" });
    assert.deepEqual(await post(at("nobody"), search), { error: "not-running" });
    assert.deepEqual(await post("/messaging-account/device/queue/cancel", {}), { error: "memory" });
    assert.deepEqual(await post(at("kept"), { ...search, query: { number: "Ada" } }), { error: "number" });
    assert.deepEqual(await post(`${HISTORY}/message`, { request: 999, place: 0 }), { error: "gone" });
  });

  it("refuses what the sidebar never asks for", async () => {
    const asks: readonly (readonly [path: string, body: object])[] = [
      [`${HISTORY}/search`, { query: {} }],
      [`${HISTORY}/search`, { query: { account: "other" }, after: null }],
      [`${HISTORY}/search`, { query: { outcome: "lost" }, after: null }],
      [`${HISTORY}/search`, { query: { number: "1".repeat(300) }, after: null }],
      [`${HISTORY}/search`, { query: { from: "yesterday" }, after: null }],
      [`${HISTORY}/search`, { query: {}, after: [1, 2, 3] }],
      [`${HISTORY}/export`, { query: {}, csv: csvRequest({ header: ["one"] }) }],
      [`${HISTORY}/export`, { query: {}, csv: csvRequest({ header: [...EXPORT_COLUMNS], zone: "Bern" }) }],
      [`${HISTORY}/delete-number`, { number: " " }],
      [`${QUEUE}/cancel`, { job: "1" }],
      [`${QUEUE}/send`, {}],
    ];
    for (const [path, body] of asks) {
      await assert.rejects(post(path, body), /: 400 /, `${path} ${JSON.stringify(body)}`);
    }
  });

  it("says what is wrong with the store", async () => {
    const folder = bench.nodeRed.folder;
    await bench.nodeRed.deploy(flowsOf(`${folder}/settings.js/no-folder`));
    const answer = await post<{ error: string; message: string }>(`${QUEUE}/look`, { after: 0 });
    assert.equal(answer.error, "store");
    assert.match(answer.message, /message store/);
  });
});
