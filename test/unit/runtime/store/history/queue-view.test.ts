import assert from "node:assert/strict";
import { settledVerdict } from "../../../../../lib/gateway/queue/stored-content";
import { localVerdict } from "../../../../../lib/gateway/codec/verdict";
import { Gone } from "../../../../../lib/runtime/store/history/history-view";
import { jobJson } from "../../../../../lib/runtime/store/history/job-json";
import {
  cancelQueue,
  changeJob,
  decideStranded,
  HasNode,
} from "../../../../../lib/runtime/store/history/queue-actions";
import { viewQueue } from "../../../../../lib/runtime/store/history/queue-view";
import type { QueueView } from "../../../../../lib/shared/history/history";
import { takeJob } from "../../../store/suite/store-under-test";
import { useAccountStore } from "../account-store";

const NODES = ["n1", "tab/subflow/inner"];

describe("the queue of an account", () => {
  const use = useAccountStore();
  const look = (after = 0): Promise<QueueView> => viewQueue(use(), NODES, after);
  const change = (action: "pause" | "resume" | "cancel", job?: number) =>
    job === undefined ? cancelQueue(use()) : changeJob(use(), NODES, action, job);

  it("counts the queue, with an entry for each job", async () => {
    const { store, instances } = use();
    await takeJob(store, [{}, {}, {}], { channel: "SMS" });
    await store.claims.claim("a1", instances.id, 2);
    const [first] = (await store.claims.claim("a1", instances.id, 1)) ?? [];
    await store.claims.release("a1", instances.id, [
      { id: first!.id, delay: 60_000, priority: 0, attempts: 1 },
    ]);
    const view = await look();
    const { nextDue, jobs, ...counts } = view;
    assert.ok(nextDue !== null && nextDue > 50_000 && nextDue <= 60_000, String(nextDue));
    assert.deepEqual(counts, {
      waiting: 1,
      paused: 0,
      stranded: 0,
      sending: 2,
      next: null,
      strandedJobs: [],
    });
    const [{ id, takenAt, leavesAt, ...job } = { id: 0, takenAt: "", leavesAt: null }] = jobs;
    const wait = Date.parse(leavesAt ?? "") - Date.now();
    assert.ok(wait > 50_000 && wait <= 60_000, String(leavesAt));
    assert.match(takenAt, /^20\d\d-.*Z$/);
    assert.ok(id > 0);
    assert.deepEqual(job, {
      node: "n1",
      channel: "SMS",
      requests: 3,
      done: 0,
      unreported: 0,
      waiting: 1,
      paused: 0,
      sending: 2,
      stranded: false,
      elsewhere: null,
      formerAddress: null,
    });
  });

  it("pauses and resumes a job", async () => {
    await takeJob(use().store, [{}, {}]);
    const [job] = (await look()).jobs;
    assert.deepEqual(await change("pause", job!.id), { requests: 2 });
    const paused = await look();
    assert.deepEqual([paused.paused, paused.jobs[0]?.paused], [2, 2]);
    assert.deepEqual(await change("resume", job!.id), { requests: 2 });
  });

  it("cancels with a result like any other local error", async () => {
    await takeJob(use().store, [{}, {}]);
    await takeJob(use().store, [{}]);
    const [job] = (await look()).jobs;
    assert.deepEqual(await change("cancel", job!.id), { requests: 2 });
    assert.deepEqual(await change("cancel"), { requests: 1 });
    const [entry] = await use().store.history.search({ account: "a1" }, null, 1);
    assert.deepEqual([entry?.state, entry?.outcome, entry?.settledBy], ["settled", "retry-later", "cancel"]);
    const verdict = settledVerdict(entry!);
    assert.deepEqual(verdict, { ...localVerdict("CANCELLED"), attempts: entry!.attempts });
    assert.deepEqual([verdict.fault, verdict.stopped, verdict.source], ["CANCELLED", null, "local"]);
  });

  it("does nothing with a job of another account, or one that is done", async () => {
    await takeJob(use().store, [{}], { account: "a2" });
    const [other] = (await viewQueue({ ...use(), account: "a2" }, NODES, 0)).jobs;
    for (const action of ["pause", "resume", "cancel"] as const) {
      await assert.rejects(change(action, other!.id), Gone);
    }
    await assert.rejects(jobJson(use(), other!.id), Gone);
    await assert.rejects(decideStranded(use(), NODES, "discard", other!.id), Gone);
  });

  describe("with jobs whose node does not run", () => {
    beforeEach(async () => {
      const { store } = use();
      await takeJob(store, [{}], { node: "n1" });
      await takeJob(store, [{}], { node: "tab/subflow/inner" });
      await takeJob(store, [{ recipients: ["1", "2"] }, {}], {
        node: "gone",
        snapshot: '{"msg":{"payload":"hi"},"parts":null}',
      });
      await takeJob(store, [{}], { node: "tab/subflow/removed" });
      await store.queue.park("a1", NODES);
    });

    it("lists them apart, those in subflows too", async () => {
      const { strandedJobs, stranded, waiting, jobs } = await look();
      assert.deepEqual(
        strandedJobs.map(({ node, waiting: open }) => [node, open]),
        [
          ["gone", 2],
          ["tab/subflow/removed", 1],
        ],
      );
      assert.deepEqual([stranded, waiting, jobs.length], [3, 2, 4]);
    });

    it("sends, saves and discards orphaned jobs, but no job with a node", async () => {
      const { jobs, strandedJobs } = await look();
      const [gone, removed] = strandedJobs;
      await assert.rejects(decideStranded(use(), NODES, "send", jobs[0]!.id), HasNode);
      let text = "";
      for await (const chunk of await jobJson(use(), gone!.id)) text += chunk;
      const { takenAt, ...saved } = JSON.parse(text) as Record<string, unknown>;
      assert.match(String(takenAt), /^20/);
      const request = { operation: "sms.simple", clientMessageId: null, fields: { messageContent: "hello" } };
      assert.deepEqual(saved, {
        node: "gone",
        channel: "sms",
        message: { payload: "hi" },
        requests: [
          { ...request, recipients: ["1", "2"] },
          { ...request, recipients: ["41790000001"] },
        ],
      });
      assert.deepEqual(await decideStranded(use(), NODES, "discard", gone!.id), { requests: 2 });
      assert.deepEqual(await decideStranded(use(), NODES, "send", removed!.id), { requests: 1 });
      const after = await look();
      assert.deepEqual(after.strandedJobs, []);
      assert.deepEqual(
        after.jobs.map(({ node }) => node),
        ["n1", "tab/subflow/inner", ""],
      );
    });
  });
});
