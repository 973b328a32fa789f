import { QUEUE_PAGE, type QueueJob, type QueueView } from "../../shared/history";
import type { JobStates } from "../../store/queue-control";
import type { OpenJob } from "../../store/recovery";
import { NO_NODE } from "../../store/no-node";
import { instantOf } from "./message-record";
import type { AccountStore } from "./open-store";

/** The nodes that run, by their ids. */
export interface RunningNodes {
  readonly has: (id: string) => boolean;
  readonly ids: () => readonly string[];
}

/** Pages that are looked through for jobs without a node, at most: ids of nodes in subflows are not known, so there may be others. */
const MOST_PAGES = 5;

/**
 * Whether the node of a job does not run. Nodes in subflows have paths, which only the queue knows: what it has set aside is
 * without a node.
 */
const isStranded = ({ node }: OpenJob, states: JobStates, nodes: RunningNodes): boolean =>
  (states.parked ?? 0) > 0 || (node !== NO_NODE && !node.includes("/") && !nodes.has(node));

function toJob(job: OpenJob, states: JobStates, nodes: RunningNodes): QueueJob {
  const { filling = 0, queued = 0, held = 0, parked = 0, leaving = 0, settled = 0 } = states;
  return {
    id: job.id,
    node: job.node,
    channel: job.channel,
    takenAt: instantOf(job.takenAt),
    requests: job.requests,
    done: job.requests - filling - queued - held - parked - leaving,
    unreported: settled,
    waiting: filling + queued + parked,
    paused: held,
    sending: leaving,
    stranded: isStranded(job, states, nodes),
  };
}

async function withStates(
  { store }: AccountStore,
  jobs: readonly OpenJob[],
  nodes: RunningNodes,
): Promise<readonly QueueJob[]> {
  const states = await store.queue.states(jobs.map(({ id }) => id));
  return jobs.map((job) => toJob(job, states.get(job.id) ?? {}, nodes));
}

async function strandedJobs(account: AccountStore, nodes: RunningNodes): Promise<readonly QueueJob[]> {
  const notOf = [...nodes.ids(), NO_NODE];
  const found: QueueJob[] = [];
  let after = 0;
  for (let page = 0; page < MOST_PAGES && found.length < QUEUE_PAGE; page++) {
    const jobs = await account.store.recovery.openJobs(account.account, { notOf }, after, QUEUE_PAGE);
    found.push(...(await withStates(account, jobs, nodes)).filter(({ stranded }) => stranded));
    const last = jobs.at(-1);
    if (last === undefined || jobs.length < QUEUE_PAGE) {
      break;
    }
    after = last.id;
  }
  return found.slice(0, QUEUE_PAGE);
}

/**
 * The queue of an account.
 * @param after id of the last job of the page before; 0 for the first page
 * @throws StoreError
 */
export async function viewQueue(
  account: AccountStore,
  nodes: RunningNodes,
  after: number,
): Promise<QueueView> {
  const { store, account: id } = account;
  const [counts, pausedSince, jobs, stranded] = await Promise.all([
    store.requests.counts(id),
    store.queue.pausedSince(id),
    store.recovery.openJobs(id, {}, after, QUEUE_PAGE + 1),
    strandedJobs(account, nodes),
  ]);
  const page = jobs.slice(0, QUEUE_PAGE);
  return {
    pausedSince: pausedSince === null ? null : instantOf(pausedSince),
    waiting: counts.ready + counts.waiting,
    nextDue: counts.nextDue,
    paused: counts.held,
    stranded: counts.parked,
    sending: counts.leaving,
    jobs: await withStates(account, page, nodes),
    next: jobs.length > QUEUE_PAGE ? (page.at(-1)?.id ?? null) : null,
    strandedJobs: stranded,
  };
}

/** One job that is not done; null where it is done or belongs to another account. @throws StoreError */
export async function findJob(
  account: AccountStore,
  nodes: RunningNodes,
  id: number,
): Promise<QueueJob | null> {
  const jobs = await account.store.recovery.openJobs(account.account, {}, id - 1, 1);
  const [job] = await withStates(account, jobs, nodes);
  return job?.id === id ? job : null;
}
