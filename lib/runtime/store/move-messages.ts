import type { Move } from "../../store/moves";
import { isSealed } from "../../store/schema/sealed-text";
import { resealContent, resealSnapshot } from "./outbox/sealed-message";
import type { AccountStore } from "./open-store";

/** A store of an account, with the key of its sensitive texts. */
export interface MovePlace {
  readonly opened: AccountStore;
  /** 32 bytes. @throws SetupError, StoreError (as a rejection) */
  readonly textKey: () => Promise<Buffer>;
}

/**
 * Brings everything from one store of an account to another that has not left. Where it ended in between, at whatever moment, the next call
 * does the rest.
 * @returns number of requests
 * @throws SetupError, StoreError
 */
export async function moveMessages(from: MovePlace, to: MovePlace): Promise<number> {
  // Some may still be on their way to the place from which everything is to come.
  await finishMoves(to, from);
  const before = await finishMoves(from, to);
  const { store, account, instances } = from.opened;
  const there = await to.opened.store.moves.place();
  // A place may have several names.
  if (there === (await store.moves.place())) {
    return before;
  }
  await store.moves.mark(account, instances.id, there);
  return before + (await finishMoves(from, to));
}

/** Brings what is marked to the other store. @returns number of requests @throws SetupError, StoreError */
export async function finishMoves(from: MovePlace, to: MovePlace): Promise<number> {
  const { account, store } = from.opened;
  const there = to.opened.store;
  const { moves } = await store.moves.underWay(account, await there.moves.place());
  let moved = 0;
  for (const id of moves) {
    const move = await store.moves.read(account, id);
    await there.moves.arrive(account, to.opened.instances.id, await resealed(move, from, to));
    moved += await store.moves.remove(account, move);
  }
  return moved;
}

/** Each place may have a key of its own. What cannot be read stays as it is, and is not sent. */
async function resealed(move: Move, from: MovePlace, to: MovePlace): Promise<Move> {
  const { jobs, requests } = move;
  const texts = [...requests.map(({ content }) => content), ...jobs.map(({ snapshot }) => snapshot)];
  if (!texts.some((text) => text !== null && isSealed(text))) {
    return move;
  }
  const [former, present] = await Promise.all([from.textKey(), to.textKey()]);
  if (former.equals(present)) {
    return move;
  }
  return {
    ...move,
    jobs: jobs.map((job) => ({
      ...job,
      snapshot: job.snapshot && resealSnapshot(former, present, job.key, job.snapshot),
    })),
    requests: requests.map((request) => ({
      ...request,
      content: request.content && resealContent(former, present, request.key, request.content),
    })),
  };
}
