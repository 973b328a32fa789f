import assert from "node:assert/strict";
import {
  type QueueInstance,
  type QueueJob,
  type QueueView,
  READ_HISTORY,
  WRITE_QUEUE,
} from "../../../lib/shared/history/history";
import { useSidebar } from "../../support/sidebar/sidebar-page";

const MINUTE = 60_000;

const job = (id: number, given: Partial<QueueJob> = {}): QueueJob => ({
  id,
  node: "orders",
  channel: "SMS",
  takenAt: new Date(0).toISOString(),
  requests: 60,
  done: 0,
  unreported: 0,
  waiting: 60,
  paused: 0,
  sending: 0,
  leavesAt: null,
  stranded: false,
  elsewhere: null,
  formerAddress: null,
  ...given,
});
const queue = (given: Partial<QueueView> = {}): QueueView => ({
  waiting: 60,
  nextDue: null,
  paused: 0,
  stranded: 0,
  sending: 0,
  jobs: [job(1)],
  next: null,
  strandedJobs: [],
  ...given,
});
const instance = (given: Partial<QueueInstance>): QueueInstance => ({
  host: "node-red-1",
  process: 7,
  mine: false,
  state: "alive",
  startedAt: new Date(Date.now() - 90 * MINUTE).toISOString(),
  quietFor: 2_400,
  sending: 0,
  taken: 0,
  ...given,
});

describe("Queue", () => {
  const { page } = useSidebar();
  let view = queue();
  const show = (handlers: Parameters<ReturnType<typeof page>["show"]>[1] = {}): Promise<void> =>
    page().show("queue", {
      "queue/look": () => view,
      "queue/instances": () => ({ instances: null, complete: true }),
      ...handlers,
    });

  beforeEach(() => {
    view = queue();
    page().editor.nodes = [
      ...page().editor.nodes,
      { id: "orders", type: "messaging-sms-send", name: "Orders", account: "shop", z: "tab" },
    ];
  });

  it("pauses and resumes a message, and keeps the focus on its button", async () => {
    await show({
      "queue/pause": () => {
        view = queue({ waiting: 0, paused: 60, jobs: [job(1, { waiting: 0, paused: 60 })] });
        return { requests: 60 };
      },
    });
    await page().sees(/60 waiting.*Orders.*0 of 60 requests done/);
    const cancel = page().named("Cancel what of this message has not left");
    cancel.focus();
    await page().press("Pause this message");
    await page().sees("Requests paused: 60.");
    await page().sees("60 paused");
    assert.equal(document.activeElement, cancel);
    assert.deepEqual(page().runtime.inputsOf("queue/pause"), [{ job: 1 }]);
    page().named("Resume this message");
  });

  it("cancels, sends and discards only after a question", async () => {
    view = queue({ stranded: 3, strandedJobs: [job(2, { node: "gone", waiting: 3, stranded: true })] });
    const did = () => ({ requests: 3 });
    await show({ "queue/cancel": did, "queue/discard": did, "queue/send": did });
    await page().sees("60 waiting · 3 without a node");
    for (const [name, question, said] of [
      ["Cancel all…", "Cancel requests that have not left: 63?", "Requests cancelled: 3."],
      ["Discard", "Discard requests of this message: 3?", "Requests discarded: 3."],
      [
        "Send without its node; nobody gets its results",
        "without its node: 3?",
        "Requests that may leave now: 3.",
      ],
    ] as const) {
      const before = page().runtime.asked.filter(({ action }) => /cancel|discard|send$/.test(action)).length;
      await page().press(name);
      const asked = page().editor.questions.at(-1);
      assert.ok(asked?.html.includes(question), asked?.html);
      assert.equal(
        page().runtime.asked.filter(({ action }) => /cancel|discard|send$/.test(action)).length,
        before,
      );
      asked?.press(1);
      await page().sees(said);
    }
    assert.deepEqual(page().runtime.inputsOf("queue/cancel"), [{}]);
    assert.deepEqual(page().runtime.inputsOf("queue/discard"), [{ job: 2 }]);
  });

  it("pages, and returns to the first page when the jobs of a page are done", async () => {
    let isDone = false;
    await show({
      "queue/look": ({ after }: { after: number }) =>
        after === 0
          ? queue({ next: 1 })
          : queue({ jobs: isDone ? [] : [job(9, { requests: 9, waiting: 9 })] }),
    });
    await page().sees("Next messages");
    await page().press("Next messages");
    await page().sees("0 of 9 requests done");
    isDone = true;
    await page().sees("0 of 60 requests done");
  });

  it("lets a user without permission change nothing", async () => {
    page().editor.denied = [WRITE_QUEUE, READ_HISTORY];
    await show();
    await page().sees("60 waiting");
    assert.ok(
      page()
        .all(".messaging-job button, .messaging-row button")
        .every((each) => "disabled" in each && each.disabled),
    );
    assert.deepEqual(page().runtime.inputsOf("queue/instances"), []);
  });

  it("says why the queue cannot be read", async () => {
    await show({ "queue/look": () => ({ error: "not-running" }) });
    await page().sees("The account is not running.");
  });

  it("lists each Node-RED of the store with its state and load", async () => {
    const instances = [
      instance({ mine: true, sending: 3, taken: 1_200 }),
      instance({ host: "node-red-2", state: "silent", quietFor: 25_000 }),
      instance({ host: "node-red-2", process: 8, state: "ended", quietFor: 12 * MINUTE, taken: 2 }),
    ];
    await show({ "queue/instances": () => ({ instances, complete: true }) });
    await page().sees("Node-REDs 1 alive · 1 silent · 1 ended");
    await page().press(page().all(".messaging-instances > summary")[0] as HTMLElement);
    const [mine = "", silent = "", ended = ""] = page().texts(".messaging-instance");
    assert.match(
      mine,
      /^node-red-1this oneprocess 7 · since .*alive, last sign of life 2 s agorequests being sent: 3 · messages not done: 1,200$/,
    );
    assert.match(silent, /silent, last sign of life 25 s agonothing to do for this account$/);
    assert.match(ended, /ended 12 min agomessages not done: 2$/);
    await page().sees("A silent Node-RED sends nothing");
  });
});
