import type { HistoryFilter } from "../../lib/store/history/history-filter";
import type { Store } from "../../lib/store/store";
import { LATER } from "./report/goals";
import type { Figure } from "./rows/row";
import { figuresAgainst, figuresOf, figure } from "./report/statistics";

const ROUNDS = 5;
/** Messages of a round, one after the other. */
const SENDS = 200;
/** The place of a send among those of its round, the fastest first. */
const NINETEEN_OF_TWENTY = Math.floor(0.95 * SENDS) - 1;
/** Entries of a page with the one that tells whether there is another, messages that it looks at, and that are counted, as in the history. */
const [PAGE, LOOKED, TALLIED] = [51, 10_000, 1_001];

/** By a frequent outcome, and by what no message fits. */
const FILTERS: readonly HistoryFilter[] = [{ outcome: "rejected" }, { numberEnd: "999999" }];

/** What a message asks of the store, from the node to its result. @returns ms */
async function send(store: Store, account: string, owner: string, key: string): Promise<number> {
  const began = performance.now();
  const leaving = await store.jobs.acceptSending(
    { key, account, node: "n1", resultOwner: owner, channel: "sms", snapshot: null },
    {
      part: 0,
      operation: "sms-json",
      priority: 0,
      clientMessageId: key,
      content: "{}",
      recipients: ["41790000001"],
    },
    owner,
  );
  if (leaving === null) {
    throw new Error("a message that nothing holds back was queued");
  }
  const { id } = leaving;
  const settled = {
    id,
    outcome: "sent",
    transferId: key,
    attempts: 1,
    answer: "{}",
    emitted: false,
  } as const;
  await store.settlements.settle(owner, [settled]);
  const ms = performance.now() - began;
  await store.settlements.emitted([id]);
  return ms;
}

/** @returns ms of each of them, in order */
async function sends(
  store: Store,
  account: string,
  owner: string,
  round: string,
): Promise<readonly number[]> {
  const taken: number[] = [];
  while (taken.length < SENDS) {
    taken.push(await send(store, account, owner, `beside-${round}-${taken.length}`));
  }
  return taken.sort((one, other) => one - other);
}

/** One search after the other, as people ask for the first page and its count. @returns ends them, and says how many there were */
function searches(store: Store, account: string): () => Promise<number> {
  let [ended, count] = [false, 0];
  const searching = (async () => {
    for (; !ended; count++) {
      const filter = { account, ...FILTERS[count % FILTERS.length] };
      await store.history.look(filter, null, PAGE, LOOKED);
      await store.history.tally(filter, TALLIED);
    }
  })();
  return async () => {
    ended = true;
    await searching;
    return count;
  };
}

/** Sends in turns without a search and beside one. */
export async function sendBesideSearches(
  store: Store,
  account: string,
  owner: string,
): Promise<readonly Figure[]> {
  const alone: (readonly number[])[] = [];
  const beside: (readonly number[])[] = [];
  let searched = 0;
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await sends(store, account, owner, `alone-${round}`));
    const end = searches(store, account);
    beside.push(await sends(store, account, owner, `search-${round}`));
    searched += await end();
  }
  const half = (times: readonly number[]): number => times[SENDS / 2] ?? Number.NaN;
  const most = (times: readonly number[]): number => times[NINETEEN_OF_TWENTY] ?? Number.NaN;
  const [usual, delayed] = [figuresOf(alone), figuresOf(beside)];
  return [
    figuresAgainst(beside, alone)(LATER, "ms", (later, usually) => most(later) - most(usually)),
    usual("a send, half of them within", "ms", half),
    delayed("a send beside a search, half of them within", "ms", half),
    usual("a send, 19 of 20 within", "ms", most),
    delayed("a send beside a search, 19 of 20 within", "ms", most),
    figure("searches meanwhile", "", [searched]),
  ];
}
