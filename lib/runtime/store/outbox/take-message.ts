import { StoreError } from "../../../store/engine/store-error";
import type { NewJob, NewRequest } from "../../../store/jobs/jobs";
import type { AccountStore } from "../open-store";

/** Whom to ask and to tell while nobody knows whether the store has a message. */
export interface Doubt {
  /** Whether the account is closed, so that nobody waits any longer. */
  readonly isClosed: () => boolean;
  readonly failed: (error: unknown) => void;
}

/** ms until a store that failed is asked again. */
const RETRY = 1_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The same error where it is sure that nothing has happened. */
const certainly = (error: unknown): unknown =>
  error instanceof StoreError && error.uncertain ? new StoreError(error.code, error.place, "", false) : error;

/**
 * Finds out what became of a message that could not be written: the store may have it all the same.
 * @returns where it is there
 * @throws StoreError where it is surely not there; with `uncertain` only where the account closed meanwhile
 */
export async function findTaken(
  { store }: AccountStore,
  id: number,
  error: unknown,
  { isClosed, failed }: Doubt,
): Promise<void> {
  if (!(error instanceof StoreError) || !error.uncertain) {
    throw error;
  }
  // A full disk can be read, and so says what became of it.
  for (;;) {
    const known = await store.jobs.known([id]).catch(() => null);
    // Not before: a write that fails takes the reads of the same turn with it.
    failed(error);
    if (known !== null) {
      if (known.has(id)) {
        return;
      }
      throw certainly(error);
    }
    if (isClosed()) {
      throw error;
    }
    await pause(RETRY * (0.5 + Math.random()));
  }
}

/**
 * Puts a message of many requests into the store, a page at a time.
 * @param onComplete called before its first request may leave
 * @throws StoreError as `findTaken`
 */
export async function takePages(
  { store }: AccountStore,
  job: NewJob,
  pages: Iterable<readonly NewRequest[]>,
  onComplete: () => void,
  doubt: Doubt,
): Promise<void> {
  const { jobs } = store;
  try {
    await jobs.begin(job);
    for (const page of pages) {
      await jobs.add(job, page);
    }
  } catch (error) {
    // Nothing of it leaves before it is complete.
    const remove = (): Promise<void> => jobs.abandon(job.id);
    await remove().catch(() => void removeLater(remove, doubt));
    doubt.failed(error);
    throw certainly(error);
  }
  onComplete();
  if (!(await complete(() => jobs.commit(job.id, job.account), doubt))) {
    // This process was stopped for so long that others have removed what it had not completed. It may have added pages since.
    await jobs.abandon(job.id).catch(() => {});
    throw new StoreError("STORE_SLOW", store.engine.place, "", false);
  }
}

/**
 * What is in the store of a message that is not taken is removed, as soon as the store can be written. At the close the rest
 * is left to those who look for what ended processes have begun.
 */
async function removeLater(remove: () => Promise<void>, { isClosed }: Doubt): Promise<void> {
  for (let isThere = true; isThere; ) {
    await pause(RETRY);
    if (isClosed()) {
      return;
    }
    isThere = await remove().then(
      () => false,
      () => true,
    );
  }
}

/**
 * Once a message is complete it is taken, whatever an error says, so this is repeated.
 * @returns false where it is no longer there
 * @throws StoreError, uncertain, at the close
 */
async function complete(write: () => Promise<boolean>, { isClosed, failed }: Doubt): Promise<boolean> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof StoreError)) {
        throw error;
      }
      if (isClosed()) {
        throw new StoreError(error.code, error.place, "", true);
      }
      failed(error);
      await pause(RETRY);
    }
  }
}
