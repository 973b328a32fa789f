import { QUEUE_PAGE, type QueueJob, type QueueView } from "../../../shared/history/history";
import type { JobStanding } from "../../../store/jobs/queue-control";
import type { OpenJob } from "../../../store/jobs/recovery";
import { SIMULATOR } from "../../../store/schema/scope";
import { NO_NODE } from "../../../store/jobs/job-statements";
import { instantOf } from "./message-record";
import type { AccountStore } from "../open-store";

/** Identities of the account's send nodes; paths of those in subflows. */
export type SendNodes = readonly string[];

/** Adds the send nodes of other processes. @throws StoreError */
async function everywhere({ account, instances, store }: AccountStore, own: SendNodes): Promise<SendNodes> {
  return store.engine.exclusive ? own : [...own, ...(await instances.nodesElsewhere(account))];
}

const isStranded = ({ node }: OpenJob, nodes: SendNodes): boolean =>
  node !== NO_NODE && !nodes.includes(node);

const NOTHING_LEFT = { states: {}, due: null };

function getElsewhere(accepted: string, destination: string): QueueJob["elsewhere"] {
  if (accepted === destination) {
    return null;
  }
  return accepted === SIMULATOR ? "simulator" : destination === SIMULATOR ? "service" : "address";
}

function toJob(job: OpenJob, standing: JobStanding, nodes: SendNodes, own: string): QueueJob {
  const { states, due, destination } = standing;
  const elsewhere = getElsewhere(destination, own);
  const { staging = 0, queued = 0, paused = 0, orphaned = 0, sending = 0, settled = 0 } = states;
  return {
    id: job.id,
    node: job.node,
    channel: job.channel,
    takenAt: instantOf(job.takenAt),
    requests: job.requests,
    done: job.requests - staging - queued - paused - orphaned - sending,
    unreported: settled,
    waiting: staging + queued + orphaned,
    paused,
    sending,
    leavesAt: due === null ? null : instantOf(due),
    stranded: isStranded(job, nodes),
    elsewhere,
    formerAddress: elsewhere === "address" ? destination : null,
  };
}

async function withStates(
  { store, destination }: AccountStore,
  jobs: readonly OpenJob[],
  nodes: SendNodes,
): Promise<readonly QueueJob[]> {
  const states = await store.queue.states(jobs.map(({ id }) => id));
  return jobs.map((job) =>
    toJob(job, states.get(job.id) ?? { ...NOTHING_LEFT, destination }, nodes, destination),
  );
}

async function strandedJobs(account: AccountStore, nodes: SendNodes): Promise<readonly QueueJob[]> {
  const which = { notOf: [...nodes, NO_NODE] };
  const jobs = await account.store.recovery.openJobs(account.account, which, 0, QUEUE_PAGE);
  return withStates(account, jobs, nodes);
}

/** @param after id of the last job of the previous page; 0 for the first page @throws StoreError */
export async function viewQueue(account: AccountStore, own: SendNodes, after: number): Promise<QueueView> {
  const { store, account: id } = account;
  const nodes = await everywhere(account, own);
  const [counts, jobs, stranded] = await Promise.all([
    store.backlog.counts(id),
    store.recovery.openJobs(id, {}, after, QUEUE_PAGE + 1),
    strandedJobs(account, nodes),
  ]);
  const page = jobs.slice(0, QUEUE_PAGE);
  return {
    waiting: counts.ready + counts.waiting,
    nextDue: counts.nextDue,
    paused: counts.paused,
    stranded: counts.orphaned,
    sending: counts.sending,
    jobs: await withStates(account, page, nodes),
    next: jobs.length > QUEUE_PAGE ? (page.at(-1)?.id ?? null) : null,
    strandedJobs: stranded,
  };
}

/** Null if the job is done or belongs to another account. @throws StoreError */
export async function findJob(account: AccountStore, own: SendNodes, id: number): Promise<QueueJob | null> {
  const nodes = await everywhere(account, own);
  const jobs = await account.store.recovery.openJobs(account.account, {}, id - 1, 1);
  const [job] = await withStates(account, jobs, nodes);
  return job?.id === id ? job : null;
}
